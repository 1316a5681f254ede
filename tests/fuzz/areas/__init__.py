"""The areas: a module each with ``build(random)``, which makes a case without what is expected of it."""
