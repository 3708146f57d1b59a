"""Certificates made at run time: an authority of our own, and leaves that are right or wrong in one way each."""

from __future__ import annotations

import datetime
import functools
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

Kind = Literal["good", "self-signed", "expired", "wrong-host"]
DAY = datetime.timedelta(days=1)
VALIDITY: dict[Kind, tuple[datetime.timedelta, datetime.timedelta]] = {
    "good": (-DAY, DAY),
    "self-signed": (-DAY, DAY),
    "expired": (-30 * DAY, -DAY),
    "wrong-host": (-DAY, DAY),
}
"""From when and until when each leaf holds, counted from now."""
SIGNING_ONLY = x509.KeyUsage(
    digital_signature=True,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)


@dataclass(frozen=True, slots=True)
class Authority:
    """A key and the certificate that vouches for what it signs."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate


def _name(common: str) -> x509.Name:
    """Make a distinguished name of one part."""
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, kind: Kind
) -> x509.CertificateBuilder:
    """Start a certificate for a key, valid as its kind says."""
    now = datetime.datetime.now(datetime.UTC)
    start, end = VALIDITY[kind]
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + start)
        .not_valid_after(now + end)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


@functools.cache
def authority() -> Authority:
    """Make the authority of this process; every web of the process shares it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("Scripted web authority")
    builder = _builder(name, name, key, "good")
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(SIGNING_ONLY, critical=True)
    return Authority(key, builder.sign(key, hashes.SHA256()))


def _names(kind: Kind, address: str) -> list[x509.GeneralName]:
    """List whom the leaf speaks for."""
    if kind == "wrong-host":
        return [x509.DNSName("somewhere-else.example")]
    return [x509.IPAddress(ipaddress.ip_address(address)), x509.DNSName("localhost")]


def leaf(kind: Kind, address: str) -> Authority:
    """Make the certificate of a server at an address, wrong in the way its kind says."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _name(f"Scripted web, {kind}")
    signer = Authority(key, authority().certificate) if kind == "self-signed" else authority()
    issuer = subject if kind == "self-signed" else signer.certificate.subject
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.key.public_key())
    builder = _builder(subject, issuer, key, kind)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(x509.SubjectAlternativeName(_names(kind, address)), critical=False)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    builder = builder.add_extension(identifier, critical=False)
    return Authority(key, builder.sign(signer.key, hashes.SHA256()))


def write_authority(folder: Path) -> Path:
    """Write the authority's certificate where a client can be told to trust it."""
    file = folder / "ca.pem"
    file.write_bytes(authority().certificate.public_bytes(serialization.Encoding.PEM))
    return file


def server_context(kind: Kind, address: str, folder: Path) -> ssl.SSLContext:
    """Make the TLS side of a server; its key and certificate pass through `folder`."""
    made = leaf(kind, address)
    file = folder / "server.pem"
    key = made.key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(key + made.certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
