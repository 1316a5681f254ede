"""Settings: one set of code for this machine alone and for a deployment; the environment tells which.

Nothing set: SQLite, an in-memory broker and channel layer, loopback only. `DATABASE_URL`, `REDIS_URL` and
`SECRET_KEY` set: PostgreSQL, Redis or Valkey, any number of ASGI servers and workers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import structlog
from csp.constants import NONCE, NONE, SELF

from playground import environment
from playground.environment import env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = environment.data_folder(BASE_DIR / "var")

DEPLOYED = environment.is_deployed()
REDIS_URL: str = env.str("REDIS_URL", "")
ALLOW_ANONYMOUS: bool = env.bool("PLAYGROUND_ALLOW_ANONYMOUS", False)
HTTPS: bool = env.bool("PLAYGROUND_HTTPS", DEPLOYED)
VITE_DEV: bool = env.bool("PLAYGROUND_VITE_DEV", False)

DEBUG: bool = env.bool("PLAYGROUND_DEBUG", False)
SECRET_KEY = environment.secret_key(VAR_DIR)
ALLOWED_HOSTS = environment.allowed_hosts()
LOGIN_REQUIRED = environment.login_required(ALLOWED_HOSTS, allow_anonymous=ALLOW_ANONYMOUS)
RATES = environment.rates(default=LOGIN_REQUIRED or ALLOW_ANONYMOUS)
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_REDIRECT_URL = (
    "playground:login",
    "playground:start",
    "playground:login",
)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_vite",
    "rest_framework",
    "drf_spectacular",
    "playground",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "playground.middleware.SameOriginMiddleware",
    "csp.middleware.CSPMiddleware",
    "playground.middleware.ApiAnswersMiddleware",
    "playground.middleware.StaticFilesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "playground.middleware.LoginMiddleware",
    "playground.middleware.StorageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "playground.urls"
ASGI_APPLICATION = "playground.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "playground.views.context.everywhere",
            ]
        },
    }
]

# --- data
DATABASES = {"default": environment.database(VAR_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

# --- static files
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATIC_URL = "/static/"
STATIC_ROOT: str | None = env.str("PLAYGROUND_STATIC_ROOT", "") or None
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 0
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/.+-[A-Za-z0-9_-]{8}\..+$"
WHITENOISE_ALLOW_ALL_ORIGINS = False
DJANGO_VITE = {
    "default": {
        "dev_mode": VITE_DEV,
        "manifest_path": FRONTEND_DIST / "manifest.json",
        "static_url_prefix": "",
    }
}

# --- security
_VITE = ["http://localhost:5173", "ws://localhost:5173"] if VITE_DEV else []
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, *_VITE],
        "style-src": [SELF, NONCE, *_VITE],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF, *_VITE],
        "connect-src": [SELF, *_VITE],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
if env.bool("PLAYGROUND_BEHIND_PROXY", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SILENCED_SYSTEM_CHECKS = [] if HTTPS else ["security.W004", "security.W008", "security.W012", "security.W016"]

# --- limits
MEBIBYTE = 1 << 20
MAX_UPLOAD_BYTES = 64 * MEBIBYTE
JOB_ABOVE_BYTES = 2 * MEBIBYTE
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_UPLOAD_BYTES + MEBIBYTE
DATA_UPLOAD_MAX_NUMBER_FILES = 2000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
RUN_SECONDS: int = env.int("PLAYGROUND_RUN_SECONDS", 600)
RUN_SILENT_SECONDS: int = env.int("PLAYGROUND_RUN_SILENT_SECONDS", 60)
EXTENDER_HOSTS: str = env.str("PLAYGROUND_EXTENDER_HOSTS", "")
EXTENDER_PRIVATE: bool = env.bool("PLAYGROUND_EXTENDER_PRIVATE", False)
RUN_MEMORY_BYTES: int = env.int("PLAYGROUND_RUN_MEMORY_MB", 4096) * MEBIBYTE
RUN_GRACE_SECONDS = 2.0
RUN_LEASE_SECONDS = 10
RUN_MAX_ATTEMPTS = 3
IDEMPOTENCY_HOURS = 24
MAX_WAIT_SECONDS = 60
MAX_WAITING = 32

# --- tasks and sockets
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"visibility_timeout": 900, "socket_connect_timeout": 1, "socket_timeout": 3}
    if REDIS_URL
    else {"polling_interval": 0.02}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_DEFAULT_QUEUE = "playground"
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = env.int("PLAYGROUND_WORKER_THREADS", 4)
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False

CHANNEL_LAYERS: dict[str, dict[str, object]] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL]},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

# --- the API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "playground.api.access.TokenAuthentication",
        "playground.api.access.LoginAuthentication",
        "playground.api.access.LocalAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["playground.api.access.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["playground.api.quotas.QuotaThrottle"],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["playground.api.parsers.StrictJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "playground.api.parsers.Negotiation",
    "DEFAULT_PAGINATION_CLASS": "playground.api.pagination.Pages",
    "DEFAULT_SCHEMA_CLASS": "playground.api.schema.ProblemSchema",
    "EXCEPTION_HANDLER": "playground.api.errors.as_problem",
    "URL_FORMAT_OVERRIDE": None,
    "UNICODE_JSON": False,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Scheduler Playground",
    "DESCRIPTION": "Clusters in, kube-scheduler's decisions out. Errors are problem details (RFC 9457).",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "SERVE_PERMISSIONS": ["playground.api.access.HasScope"],
    "AUTHENTICATION_WHITELIST": ["playground.api.access.TokenAuthentication"],
    "SERVE_AUTHENTICATION": None,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "playground.api.schema.finish",
    ],
}

# --- logs
LOG_LEVEL: str = env.str("PLAYGROUND_LOG_LEVEL", "INFO" if DEPLOYED else "WARNING").upper()
_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _SHARED,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ]
            if DEPLOYED
            else [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.dev.ConsoleRenderer(
                    colors=False, exception_formatter=structlog.dev.plain_traceback
                ),
            ],
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "kombu.connection": {"level": "ERROR"},
    },
}
structlog.configure(
    processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
