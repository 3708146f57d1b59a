"""The place that a service listens at."""

from __future__ import annotations

import socket

import pytest

from anansi.crawl.listening import address, listener
from anansi.errors import UserError


def test_any_port_is_found_and_told() -> None:
    with listener("127.0.0.1", 0, "--port") as place:
        port = place.getsockname()[1]
        assert address(place) == f"http://127.0.0.1:{port}"
        with socket.create_connection(("127.0.0.1", port)) as client:
            assert client.getpeername()[1] == port


def test_a_place_that_is_taken_names_the_option_to_choose_another() -> None:
    with listener("127.0.0.1", 0, "--port") as place:
        port = place.getsockname()[1]
        with pytest.raises(UserError, match=f"cannot listen on 127.0.0.1, port {port}.*--listen"):
            listener("127.0.0.1", port, "--listen")


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70_000), ("192.0.2.77", 0)])
def test_a_place_that_is_none_is_told_in_words(host: str, port: int) -> None:
    with pytest.raises(UserError, match=f"cannot listen on {host}, port {port}"):
        listener(host, port, "--port")


def test_an_address_of_the_new_kind_stands_in_brackets() -> None:
    with listener("::1", 0, "--port") as place:
        assert address(place).startswith("http://[::1]:")
