"""Names and times."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.api.meta import ObjectMeta, OwnerReference, Time, json_name, parse_time

LAYOUT = "2006-01-02T15:04:05Z07:00"


@pytest.mark.parametrize(
    ("attribute", "name"),
    [
        ("node_name", "nodeName"),
        ("host_ip", "hostIP"),
        ("pod_cidrs", "podCIDRs"),
        ("uid", "uid"),
        ("api_version", "apiVersion"),
        ("enable_https", "enableHTTPS"),
        (
            "required_during_scheduling_ignored_during_execution",
            "requiredDuringSchedulingIgnoredDuringExecution",
        ),
    ],
)
def test_attributes_have_kubernetes_json_names(attribute: str, name: str) -> None:
    assert json_name(attribute) == name


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("2024-05-14T10:00:05Z", "2024-05-14T10:00:05Z"),
        ("2024-05-14t10:00:05z", "2024-05-14T10:00:05Z"),
        ("2024-05-14T10:00:05.25+02:00", "2024-05-14T08:00:05.250000Z"),
        ("2024-05-14T10:00:05-05:30", "2024-05-14T15:30:05Z"),
        ("2024-05-14T10:00:60Z", "2024-05-14T10:01:00Z"),
        ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
    ],
)
def test_rfc_3339_is_read_a_leap_second_too(text: str, again: str) -> None:
    assert str(parse_time(text)) == again


@pytest.mark.parametrize(
    ("text", "rest", "wanted"),
    [
        ("yesterday", "yesterday", "2006"),
        ("null", "null", "2006"),
        ("", "", "2006"),
        ("2024-05-14", "", "T"),
        ("2024-05-14 10:00:05Z", " 10:00:05Z", "T"),
        ("2024-5-14T10:00:05Z", "5-14T10:00:05Z", "01"),
        ("2024-05-14T10:00:05", "10:00:05", "15:04:05Z07:00"),
        ("2024-05-14T10:00:0Z0Z", "10:00:0Z0Z", "15:04:05Z07:00"),
        ("2024-05-14T100005.1Z", "100005.1Z", "15:04:05Z07:00"),
    ],
)
def test_another_form_is_refused_in_go_s_words(text: str, rest: str, wanted: str) -> None:
    with pytest.raises(ValueError, match="parsing time") as caught:
        parse_time(text)
    assert str(caught.value) == f'parsing time "{text}" as "{LAYOUT}": cannot parse "{rest}" as "{wanted}"'


@pytest.mark.parametrize("text", ["2024-02-30T10:00:05Z", "2024-05-14T25:00:05Z", "2024-05-14T10:00:61Z"])
def test_a_time_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="parsing time"):
        parse_time(text)


@given(st.datetimes(min_value=dt.datetime(1, 1, 2), max_value=dt.datetime(9999, 12, 30)))  # noqa: DTZ001
def test_what_is_written_is_read_again(moment: dt.datetime) -> None:
    moment = moment.replace(tzinfo=dt.UTC)
    time = parse_time(moment.isoformat().replace("+00:00", "Z"))
    assert dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=int(time)) == moment
    assert parse_time(str(time)) == time


def test_a_time_is_a_number_of_microseconds() -> None:
    assert Time(1_500_000) - 500_000 == 1_000_000
    assert parse_time("1970-01-01T00:00:01Z") == 1_000_000


def test_the_controller_is_the_owner_that_says_so() -> None:
    owners = (OwnerReference(name="a"), OwnerReference(name="b", controller=True))
    metadata = ObjectMeta(owner_references=owners)
    controller = metadata.controller()
    assert controller is not None
    assert controller.name == "b"
    assert ObjectMeta().controller() is None
