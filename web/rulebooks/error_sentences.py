"""What keeps a document from being loaded, in a sentence for people."""

from __future__ import annotations

from flask_babel import gettext as _

from audit.rulebooks import errors
from web.site.labels import own_name


def error_sentence(error: errors.RulebookError) -> str:
    """One sentence for people; nothing was stored."""
    name = error.name or _("the file")
    stored = _("Nothing was stored.")
    return f"{name}: {_reason(error)} {stored}"


def _reason(error: errors.RulebookError) -> str:
    match error:
        case errors.EmptyDocumentError():
            return str(_("It contains no words."))
        case errors.BinaryDocumentError():
            return str(_("This is no text. Load plain text, Markdown or a PDF with a text layer."))
        case errors.TooLargeError():
            return str(_("It is larger than the %(limit)s MB allowed for a rulebook.", limit=error.limit // 1_000_000))
        case errors.EncodingError() | errors.GarbledError():
            return str(_("Its letters cannot be read. Save it as UTF-8."))
        case errors.EncryptedPdfError():
            return str(_("The PDF is protected by a password. Save it without one."))
        case errors.ImagePdfError():
            return str(_("The PDF has pictures of pages and no text. Run it through character recognition first."))
        case errors.WrongLanguageError():
            names = {"said": own_name(error.said), "found": own_name(error.detected)}
            return str(_("It was said to be %(said)s, but it reads like %(found)s.", **names))
        case errors.UnknownLanguageError():
            return str(_("The language was not recognised. Choose it below."))
        case errors.NothingLinkedError():
            return str(_("None of its passages is one of %(document)s. Is it the right file?", document=error.document))
        case errors.OtherDocumentError():
            return str(_("Its sentences are those of %(document)s. Load it as that.", document=error.recognised))
        case errors.DocumentIdError():
            return str(_("An id is small letters, digits and dashes, such as compile-faq-fr."))
    return str(error).removeprefix(f"{error.name}: ")
