from __future__ import annotations

from scheduler_core.plugins.in_tree import IN_TREE


def test_every_plugin_is_made_under_its_own_name_without_arguments() -> None:
    for name in ("NodeAffinity", "NodeResourcesFit", "NodeResourcesBalancedAllocation", "TaintToleration"):
        assert IN_TREE[name](None, None).name == name  # type: ignore[arg-type]


def test_the_registry_s_names_are_sorted() -> None:
    assert list(IN_TREE) == sorted(IN_TREE)
