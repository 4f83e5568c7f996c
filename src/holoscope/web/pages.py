"""The pages over HTTP: an address into the call of a page function, and what people say into the annotations.

Each route takes names out of the address and hands them to a function of `report/pages`, which looks them up. The
functions read files, so they run in threads.
"""

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from holoscope.core import StoreError, UnknownNameError, UsageError
from holoscope.report.library import Library
from holoscope.report.pages import Links, ServerLinks
from holoscope.report.pages import compare as comparing
from holoscope.report.pages import instances as listing
from holoscope.report.pages import pairs as pairing
from holoscope.report.pages.calibration import calibration
from holoscope.report.pages.fairness import fairness
from holoscope.report.pages.harms import harms
from holoscope.report.pages.home import home
from holoscope.report.pages.instance import Annotating, Around, Which, instance
from holoscope.report.pages.leaderboard import leaderboard
from holoscope.report.pages.model import model
from holoscope.report.pages.overview import overview
from holoscope.report.pages.profiles import profiles
from holoscope.report.pages.robustness import robustness
from holoscope.report.pages.run import run
from holoscope.web.state import State

LINKS = ServerLinks()

Page = Callable[[State, Mapping[str, str], Mapping[str, str]], str]
"""Makes a page from the names in its address and from its query."""


def _home(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
    return home(state.library, LINKS, only=state.only)


def _overview(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
    return overview(state.library, LINKS, **names)


def _model(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
    return model(state.library, LINKS, names["suite"], names["model"])


def _profiles(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
    return profiles(state.library, LINKS, names["suite"])


def _leaderboard(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
    return leaderboard(state.library, LINKS, **names)


def _of_scenario(page: Callable[[Library, Links, str, str], str]) -> Page:
    """A page that shows one scenario at a time."""

    def made(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
        return page(state.library, LINKS, names["suite"], names.get("scenario", ""))

    return made


def _compare(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
    suite, a, b = names["suite"], query.get("a", ""), query.get("b", "")
    if not a or not b:
        return comparing.choose(state.library, LINKS, suite, a, b)
    try:
        first, second, found = state.compared(suite, a, b)
    except (UsageError, StoreError) as error:
        if isinstance(error, UnknownNameError):
            raise
        return comparing.choose(state.library, LINKS, suite, a, b, str(error))
    return comparing.compare(state.library, LINKS, suite, first, second, found)


def _pairs(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
    return pairing.pairs(state.library, state.finder, LINKS, names["suite"], pairing.asked(query))


def _run(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
    return run(state.library, LINKS, names["suite"], names["folder"])


def _instances(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
    asked = listing.listing(query)
    return listing.instances(state.library, state.finder, LINKS, names["suite"], names.get("folder", ""), asked)


def _instance(state: State, names: Mapping[str, str], query: Mapping[str, str]) -> str:
    suite, identity = names["suite"], names["instance_id"]
    stored = state.library.run(suite, names["folder"])
    said = state.said_of(suite, stored.path.name, identity)
    return instance(
        state.library,
        state.finder,
        LINKS,
        suite,
        stored.path.name,
        identity,
        _which(query),
        around=_around(state, suite, stored.path.name, query),
        annotating=Annotating(state.access.form_token, said),
    )


def _around(state: State, suite: str, folder: str, query: Mapping[str, str]) -> Around | None:
    if "list" not in query:
        return None
    try:
        at = _whole(query, "at")
        return listing.around(state.library, state.finder, LINKS, suite, folder, query["list"], at)
    except UsageError:
        return None  # the instance is there, whatever the address says of a list


def _which(query: Mapping[str, str]) -> Which:
    return Which(query.get("perturbation", ""), _whole(query, "trial"), _whole(query, "train"))


def _whole(query: Mapping[str, str], name: str) -> int:
    value = query.get(name, "") or "0"
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise UsageError(f"{name} is a number from 0, not {value!r}")
    return int(value)


def _say(state: State, names: Mapping[str, str], form: Mapping[str, str]) -> str:
    """Keep what a form says of an instance; the address of the instance."""
    if not state.access.is_own_form(form.get("csrf", "")):
        raise UsageError("the form is older than the server's last start: go back, open the page again, and send it")
    suite, identity = names["suite"], names["instance_id"]
    which = _which(form)
    kept = state.say(
        suite,
        names["folder"],
        identity,
        which,
        author=form.get("author", ""),
        rating=_whole(form, "rating") if form.get("rating") else None,
        comment=form.get("comment", "").replace("\r\n", "\n"),
    )
    parts = {name: str(value) for name, value in which._asdict().items() if value}
    return LINKS("instance", suite=suite, folder=kept.run, instance_id=identity, **parts) + "#said"


def _both(name: str, page: Page) -> dict[str, Page]:
    """A page's address without a scenario, which shows the first, and with one."""
    return {f"/s/{{suite}}/{name}": page, f"/s/{{suite}}/{name}/{{scenario:path}}": page}


PAGES: dict[str, Page] = {
    "/": _home,
    "/s/{suite}/": _overview,
    "/s/{suite}/axis/{axis}": _overview,
    "/s/{suite}/model/{model:path}": _model,
    "/s/{suite}/profiles": _profiles,
    "/s/{suite}/leaderboard": _leaderboard,
    "/s/{suite}/leaderboard/{axis:path}": _leaderboard,
    **_both("calibration", _of_scenario(calibration)),
    **_both("robustness", _of_scenario(robustness)),
    **_both("fairness", _of_scenario(fairness)),
    **_both("harms", _of_scenario(harms)),
    "/s/{suite}/compare": _compare,
    "/s/{suite}/pairs": _pairs,
    "/s/{suite}/instances": _instances,
    "/s/{suite}/run/{folder}": _run,
    "/s/{suite}/run/{folder}/instances": _instances,
    "/s/{suite}/run/{folder}/instance/{instance_id:path}": _instance,
}
_INSTANCE = "/s/{suite}/run/{folder}/instance/{instance_id:path}"


def add_pages(app: Starlette, state: State) -> None:
    """Give every page its route."""
    for path, page in PAGES.items():
        app.add_route(path, _answering(state, page), ["GET"], include_in_schema=False)
    app.add_route(_INSTANCE, _saying(state), ["POST"], include_in_schema=False)
    app.add_route("/s/{suite}", _with_slash, ["GET"], include_in_schema=False)


def _answering(state: State, page: Page) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        names, query = request.path_params, _single(request.query_params)
        return HTMLResponse(await run_in_threadpool(page, state, names, query))

    return answer


def _saying(state: State) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            raise UsageError("a form is sent as application/x-www-form-urlencoded")
        body = (await request.body()).decode("utf-8", "replace")
        try:
            given = parse_qs(body, keep_blank_values=True, max_num_fields=20)
        except ValueError as error:
            raise UsageError(f"the form cannot be read: {error}") from error
        form = {name: values[-1] for name, values in given.items()}
        return RedirectResponse(await run_in_threadpool(_say, state, request.path_params, form), 303)

    return answer


async def _with_slash(request: Request) -> Response:
    return RedirectResponse(LINKS("overview", suite=request.path_params["suite"]), 308)


def _single(query: QueryParams) -> dict[str, str]:
    """Each parameter once, the last that was given."""
    return dict(query.multi_items())
