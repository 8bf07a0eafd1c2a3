"""The `requests` session that all downloads share, and how its failures are worded."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit, urlunsplit

from mlapath.source.settings import IndexSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    import requests
    from requests import PreparedRequest

ATTEMPTS = 3


def session_for(settings: IndexSettings) -> requests.Session:
    """Make a session: retries, certificates, proxy; trusted hosts without certificate check."""
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.exceptions import InsecureRequestWarning
    from urllib3.util.retry import Retry

    class Trusting(HTTPAdapter):
        def send(self, *args: Any, **options: Any) -> requests.Response:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InsecureRequestWarning)
                return super().send(*args, **{**options, "verify": False})

    session = requests.Session()
    session.auth = _credentials(settings)
    if settings.cert:
        session.verify = settings.cert
    if settings.client_cert:
        session.cert = settings.client_cert
    if settings.proxy:
        session.proxies = {"http": settings.proxy, "https": settings.proxy}
    retry = Retry(
        total=ATTEMPTS,
        connect=2,
        backoff_factor=0.3,
        status_forcelist=(429, 500, 502, 503, 504),
        respect_retry_after_header=False,
        raise_on_status=False,
    )
    for scheme in ("http://", "https://"):
        session.mount(scheme, HTTPAdapter(max_retries=retry))
    for host in settings.trusted_hosts:
        # Longer prefixes go first in `requests`, so these win over the two above.
        session.mount(f"https://{host}/", Trusting(max_retries=retry))
        if ":" not in host:
            session.mount(f"https://{host}:", Trusting(max_retries=retry))
    return session


def _credentials(settings: IndexSettings) -> Callable[[PreparedRequest], PreparedRequest]:
    """Give the user name and password that an index URL carries to its files too, as pip does.

    Other hosts get what `.netrc` has for them.
    """
    from requests.auth import HTTPBasicAuth
    from requests.utils import get_netrc_auth

    known: dict[str, tuple[str, str]] = {}
    for url in (*settings.index_urls, *settings.find_links):
        parts = urlsplit(url or "")
        if parts.username is not None:
            host = parts.netloc.rpartition("@")[2]
            known[host] = (unquote(parts.username), unquote(parts.password or ""))

    def authorize(request: PreparedRequest) -> PreparedRequest:
        url = request.url or ""
        pair = known.get(urlsplit(url).netloc.rpartition("@")[2]) or get_netrc_auth(url)
        return HTTPBasicAuth(*pair)(request) if pair is not None else request

    return authorize


def redacted(url: str) -> str:
    """Give `url` without user name, password, query and fragment: fit for messages."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def unreachable(url: str, error: Exception) -> str:
    """Word a failed request in one line."""
    import requests

    host = urlsplit(url).hostname or redacted(url)
    if isinstance(error, requests.exceptions.ProxyError):
        reason = "the proxy refuses"
    elif isinstance(error, requests.exceptions.SSLError):
        reason = "its certificate is not trusted (see the `cert` setting of pip)"
    elif isinstance(error, requests.exceptions.Timeout):
        reason = "no answer in time"
    elif isinstance(error, requests.exceptions.ChunkedEncodingError):
        reason = "its answer broke off"
    else:
        reason = "no connection"
    return (
        f"the package index at {host} cannot be reached: {reason}; "
        "give a folder or an archive with --vllm, or a version that is in the cache"
    )
