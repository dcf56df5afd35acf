"""A server and a login in; an open connection out, or what is wrong with it, told apart for people."""

from __future__ import annotations

import imaplib
import smtplib
import socket
import ssl
from typing import Literal

from assistant.post.out.settings import Post, Server

PATIENCE = 30.0
"""Seconds for which a server may say nothing."""
Fault = Literal["no_host", "refused", "silent", "certificate", "no_tls", "login", "needs_program", "closed", "other"]


class PostTrouble(Exception):
    """A server cannot be used. `fault`: what is wrong; `host`; `detail`: in its own words."""

    def __init__(self, fault: Fault, host: str, detail: str = "") -> None:
        super().__init__(f"{fault}: {host}: {detail}")
        self.fault: Fault = fault
        self.host = host
        self.detail = detail


def trouble_of(problem: Exception, server: Server) -> PostTrouble:
    """What a problem of the network or of a library means."""
    fault: Fault = "other"
    if isinstance(problem, PostTrouble):
        return problem
    if isinstance(problem, smtplib.SMTPAuthenticationError):
        fault = "needs_program" if b"5.7.9" in _said(problem) or b"5.7.139" in _said(problem) else "login"
        return PostTrouble(fault, server.host, _said(problem).decode(errors="replace"))
    if isinstance(problem, ssl.SSLCertVerificationError):
        fault = "certificate"
    elif isinstance(problem, socket.gaierror):
        fault = "no_host"
    elif isinstance(problem, ConnectionRefusedError):
        fault = "refused"
    elif isinstance(problem, TimeoutError):
        fault = "silent"
    elif isinstance(problem, smtplib.SMTPNotSupportedError):
        fault = "no_tls"
    elif isinstance(problem, (ssl.SSLError, smtplib.SMTPServerDisconnected, ConnectionError, EOFError)):
        fault = "closed"
    return PostTrouble(fault, server.host, str(problem))


def _said(problem: smtplib.SMTPAuthenticationError) -> bytes:
    said = problem.smtp_error
    return said if isinstance(said, bytes) else str(said).encode()


def context_of(post: Post) -> ssl.SSLContext:
    """What our connections trust: the system's authorities and that of the post. Raises OSError."""
    context = ssl.create_default_context()
    if post.authority:
        context.load_verify_locations(post.authority)
    return context


PROBLEMS = (smtplib.SMTPException, imaplib.IMAP4.error, OSError, EOFError)
"""What the libraries raise where a server or the network is at fault."""


def connected(post: Post, secret: str) -> smtplib.SMTP:
    """A connection to the server that takes mails, encrypted and logged in. Raises `PostTrouble`."""
    server = post.smtp
    line: smtplib.SMTP | None = None
    try:
        context = context_of(post)
        if server.security == "tls":
            line = smtplib.SMTP_SSL(server.host, server.port, timeout=PATIENCE, context=context)
        else:
            line = smtplib.SMTP(server.host, server.port, timeout=PATIENCE)
            line.starttls(context=context)
        line.ehlo()
        if post.login:
            line.login(post.login, secret)
    except PROBLEMS as problem:
        if line is not None:
            line.close()
        raise trouble_of(problem, server) from problem
    return line


def mailbox(post: Post, secret: str) -> imaplib.IMAP4:
    """A connection to our mailbox, encrypted and logged in. Raises `PostTrouble`."""
    server = post.imap
    assert server is not None
    try:
        context = context_of(post)
        if server.security == "tls":
            box: imaplib.IMAP4 = imaplib.IMAP4_SSL(server.host, server.port, ssl_context=context, timeout=PATIENCE)
        else:
            box = imaplib.IMAP4(server.host, server.port, timeout=PATIENCE)
            box.starttls(context)
    except PROBLEMS as problem:
        raise trouble_of(problem, server) from problem
    try:
        box.login(post.login or post.address, secret)
    except imaplib.IMAP4.error as problem:
        raise PostTrouble("login", server.host, str(problem)) from problem
    except PROBLEMS as problem:
        raise trouble_of(problem, server) from problem
    return box
