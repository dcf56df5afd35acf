"""The findings about mails that leave, and about the post that carries them, as part of `messages.COMMON`."""

from __future__ import annotations

from assistant.turn.findings import Message

MAILS = (
    Message("ARB-600", "warning", "{faction:the} {faction?has|have} no address in the column Mail of the sheet"
            " Factions, so no mail was made there. Type one in, several with commas between them."),
    Message("ARB-601", "warning", "'{seen}' is no address, so no mail goes there. Write it like anna@club.it; several"
            " with commas between them."),
    Message("ARB-602", "error", "Nothing was sent: these would be the first mails of this campaign, and nobody was"
            " there to say yes. If the list above is right: the same command with --yes."),
    Message("ARB-603", "error", "The server {host} cannot be used: {detail}. Look at it with: arbitro post setup",
            ("fault", {
                "no_host": "There is no server {host}. Look whether this computer is on the internet, and whether the"
                           " name is right: arbitro post setup",
                "refused": "{host} does not answer at this port. Look whether host and port are those that your"
                           " provider names: arbitro post setup",
                "silent": "{host} does not answer. Look whether this computer is on the internet, and whether a"
                          " firewall or an antivirus keeps mails in; then host and port: arbitro post setup",
                "certificate": "{host} cannot prove who it is ({detail}), so no password was sent there. Look whether"
                               " the name is right; where an antivirus reads mails, switch that off.",
                "no_tls": "{host} offers no encryption at this port, so no password was sent there. Take the port that"
                          " your provider names for TLS or STARTTLS: arbitro post setup",
                "login": "{host} refuses the name or the password ({detail}). Many providers want a password for this"
                         " program alone (app password), to be made on their page of security. Then: arbitro post"
                         " setup",
                "needs_program": "{host} lets no program in with a password ({detail}). Take a mailbox of a provider"
                                 " that has app passwords: arbitro post setup",
                "closed": "{host} broke the connection off ({detail}). Try again in a few minutes; if it stays so, look"
                          " at the port and at the way of encryption: arbitro post setup"})),
    Message("ARB-604", "warning", "The server takes no mail for {address} of {faction:the}: {cause}. Put the address"
            " right on the sheet Factions, then: arbitro send {book}",
            ("all", {"yes": "The server takes no mail for {address}: {cause}. Put the address right on the sheet"
                            " Factions, then: arbitro send {book}"})),
    Message("ARB-605", "warning", "The server puts the mail to {list} off: {cause}. It is kept. In a quarter of an"
            " hour: arbitro send {book}"),
    Message("ARB-606", "error", "Nobody can tell whether the mail to {list} has arrived: the connection broke when it"
            " was handed over, and our own mailbox cannot be asked. Look whether it lies there, or ask the club. If it"
            " has it: arbitro send {book} --arrived {code} - If not: arbitro send {book} --again {code}"),
    Message("ARB-607", "error", "The mail to {faction:the} was held back: in it stands '{word}', which {faction:the}"
            " may not know ({place}: {text}). That is a fault of Arbitro or of the rulebook: tell its authors. To let"
            " it go all the same: arbitro send {book} --let-go {code} --why REASON",
            ("all", {"yes": "The mail to everybody was held back: in it stands '{word}', which not everybody may know"
                            " ({place}: {text}). That is a fault of Arbitro or of the rulebook: tell its authors. To"
                            " let it go all the same: arbitro send {book} --let-go all --why REASON"})),
    Message("ARB-608", "info", "Reports that hold no more are with: {list}. The new ones say which they replace."),
    Message("ARB-609", "error", "The password of {login} is not known here. Set it with: arbitro post setup - or put it"
            " into the environment as {variable}."),
    Message("ARB-610", "error", "There is no mail to {seen} of which that could be said."),
    Message("ARB-611", "warning", "No page was made of {list}: the ledger does not know the campaign as it was then."),
    Message("ARB-613", "error", "'{seen}' is no server. Write its name, as smtp.club.it, with its port where it is not"
            " the usual one: smtp.club.it:465:tls"),
    Message("ARB-614", "warning", "The post is not set up, so nobody was reminded. Awaited: {list}. To have mails sent:"
            " arbitro post setup"),
    Message("ARB-615", "warning", "A mail to {faction:the} came back from {address}: {cause}. Put the address right on"
            " the sheet Factions, then: arbitro send {book} --again {code}",
            ("all", {"yes": "The mail to everybody came back from {address}: {cause}. Put the address right on the"
                            " sheet Factions, then: arbitro send {book} --again all"})),
    Message("ARB-612", "error", "To let a mail go that was held back, give the reason, which is kept: --why REASON"),
)
