import pytest
from hypothesis import given
from hypothesis import strategies as st

from anansi_demo.site import answer
from anansi_demo.wire import MAX_BODY, MAX_HEAD, Asked, Refused, not_modified, read_request, settle, write

HOST = b"Host: localhost\r\n"


def asked(data: bytes) -> Asked:
    found = read_request(data)
    assert isinstance(found, Asked)
    return found


def test_a_request_is_read_up_to_its_end() -> None:
    found = asked(b"GET /blog/?print=1 HTTP/1.1\r\n" + HOST + b"\r\nGET /next")
    assert (found.method, found.target, found.keep) == ("GET", "/blog/?print=1", True)
    assert found.headers == {"host": "localhost"}
    assert found.size == len(b"GET /blog/?print=1 HTTP/1.1\r\n" + HOST + b"\r\n")


def test_a_body_belongs_to_its_request() -> None:
    head = b"POST /forum/login.php HTTP/1.1\r\nContent-Length: 5\r\n" + HOST + b"\r\n"
    assert read_request(head + b"word") is None
    assert asked(head + b"words").size == len(head) + 5


def test_a_proxy_style_target_loses_its_host_but_an_address_in_the_query_stays() -> None:
    assert asked(b"GET http://a.example/x HTTP/1.1\r\n" + HOST + b"\r\n").target == "/x"
    assert asked(b"GET http://a.example HTTP/1.1\r\n" + HOST + b"\r\n").target == "/"
    assert asked(b"GET /x?u=http://b.example/y HTTP/1.1\r\n" + HOST + b"\r\n").target == "/x?u=http://b.example/y"


@pytest.mark.parametrize(
    ("version", "option", "keep"),
    [(b"1.1", b"", True), (b"1.1", b"close", False), (b"1.0", b"", False), (b"1.0", b"Keep-Alive", True)],
)
def test_a_connection_is_kept_when_the_client_wishes(version: bytes, option: bytes, keep: bool) -> None:
    data = b"GET / HTTP/" + version + b"\r\n" + HOST + b"Connection: " + option + b"\r\n\r\n"
    assert asked(data).keep is keep


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"hello\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/2.0\r\n" + HOST + b"\r\n", 400),
        (b"GET nowhere HTTP/1.1\r\n" + HOST + b"\r\n", 400),
        (b"GET / HTTP/1.1\r\nno colon\r\n" + HOST + b"\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: -1\r\n" + HOST + b"\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: %d\r\n" % (MAX_BODY + 1) + HOST + b"\r\n", 413),
        (b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 6000 + b"\r\n" + HOST + b"\r\n", 413),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + HOST + b"\r\n", 501),
        (b"GET /" + b"a" * MAX_HEAD, 431),
    ],
)
def test_what_is_no_request_is_refused(data: bytes, status: int) -> None:
    assert read_request(data) == Refused(status)


def test_an_unfinished_head_waits_for_more() -> None:
    assert read_request(b"GET / HTTP/1.1\r\nHost: local") is None


@given(st.binary(max_size=400))
def test_any_bytes_are_read_refused_or_waited_for(data: bytes) -> None:
    found = read_request(data + b"\r\n\r\n")
    assert found is None or isinstance(found, Refused) or found.size <= len(data) + 4


@given(st.sampled_from(["if-none-match", "if-modified-since"]), st.text(max_size=60))
def test_any_validator_is_judged(name: str, value: str) -> None:
    found = answer("/about/")
    honest = {"*", found.header("ETag"), found.header("Last-Modified")}
    assert not_modified(found, {name: value}) in (True, False)
    assert value in honest or name != "if-none-match" or "*" in value or not not_modified(found, {name: value})


def test_the_tag_goes_before_the_date() -> None:
    found = answer("/about/")
    date = found.header("Last-Modified")
    assert not_modified(found, {"if-modified-since": date})
    assert not_modified(found, {"if-modified-since": "Fri, 01 Jan 2100 00:00:00 -0000"})
    assert not not_modified(found, {"if-modified-since": "Thu, 01 Jan 2015 00:00:00 GMT"})
    assert not not_modified(found, {"if-modified-since": date, "if-none-match": '"other"'})
    assert not_modified(found, {"if-none-match": f'"other", W/{found.header("ETag")}'})


def test_nothing_but_reading_is_allowed() -> None:
    post = Asked("POST", "/", {}, True, 0)
    found = settle(post, answer("/"))
    assert (found.status, found.header("Allow")) == (405, "GET, HEAD")


def test_a_head_has_the_length_of_the_body_it_leaves_out() -> None:
    found = answer("/about/")
    full = write(found, date="now", keep=True)
    head = write(found, date="now", keep=True, bodiless=True)
    assert full == head + found.body
    assert f"Content-Length: {len(found.body)}\r\n".encode() in head
