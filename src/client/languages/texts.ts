/**
 * What the script says to visitors, in one language. A form's attribute `data-svc-message-<name>` overrides a text. Add
 * new texts here and in each language.
 */
export interface VisitorTexts {
  accepted: string
  /** For all refusals without a text of their own. */
  unavailable: string
  /** Names `{length}` and `{max}`, in characters. */
  too_long: string
  files: string
  email: string
  bot_check: string
  /** Names `{types}`: endings of files. */
  file_type: string
  /** Names `{max}`: a size such as `10 MB`. */
  file_too_large: string
  /** Names `{count}`. */
  file_count: string
  file_infected: string
}

/** Each is a file `/_svc/l/<language>.js`. English comes with the forms, too. */
export const languages = {
  en: {
    accepted: 'Thank you, it has been sent.',
    unavailable: 'Sorry, it could not be sent. Please try again.',
    too_long: 'Not sent: this text has {length} characters, and about {max} fit. Please shorten it.',
    files: 'Not sent: files cannot be sent with this form. Send again to send it without them.',
    email: 'Please enter an email address.',
    bot_check: 'Please confirm that you are human.',
    file_type: 'Not sent: this field takes only {types}.',
    file_too_large: 'Not sent: the file is larger than {max}.',
    file_count: 'Not sent: please choose at most {count} files.',
    file_infected: 'Not sent: the file may contain malware. Please check it.',
  },
  de: {
    accepted: 'Vielen Dank, Ihre Angaben wurden gesendet.',
    unavailable: 'Das Senden ist leider fehlgeschlagen. Bitte versuchen Sie es erneut.',
    too_long: 'Nicht gesendet: Der Text hat {length} Zeichen, es passen etwa {max}. Bitte kürzen Sie ihn.',
    files:
      'Nicht gesendet: Mit diesem Formular lassen sich keine Dateien übermitteln. Senden Sie es noch einmal, um es ohne Dateien abzuschicken.',
    email: 'Bitte geben Sie eine E-Mail-Adresse ein.',
    bot_check: 'Bitte bestätigen Sie, dass Sie ein Mensch sind.',
    file_type: 'Nicht gesendet: Hier sind nur diese Dateitypen möglich: {types}.',
    file_too_large: 'Nicht gesendet: Die Datei ist größer als {max}.',
    file_count: 'Nicht gesendet: Bitte wählen Sie höchstens {count} Dateien.',
    file_infected: 'Nicht gesendet: Die Datei enthält möglicherweise Schadsoftware. Bitte prüfen Sie sie.',
  },
  fr: {
    accepted: 'Merci, votre formulaire a bien été envoyé.',
    unavailable: 'Désolé, l’envoi a échoué. Veuillez réessayer.',
    too_long:
      'Non envoyé\u00a0: ce texte compte {length} caractères, pour un maximum d’environ {max}. Veuillez le raccourcir.',
    files:
      'Non envoyé\u00a0: ce formulaire ne permet pas d’envoyer de fichiers. Envoyez-le à nouveau pour le transmettre sans fichiers.',
    email: 'Veuillez saisir une adresse e-mail.',
    bot_check: 'Veuillez confirmer que vous n’êtes pas un robot.',
    file_type: 'Non envoyé\u00a0: ce champ n’accepte que {types}.',
    file_too_large: 'Non envoyé\u00a0: le fichier dépasse {max}.',
    file_count: 'Non envoyé\u00a0: veuillez choisir au maximum {count} fichiers.',
    file_infected: 'Non envoyé\u00a0: le fichier contient peut-être un logiciel malveillant. Veuillez le vérifier.',
  },
  es: {
    accepted: 'Gracias, el formulario se ha enviado.',
    unavailable: 'Lo sentimos, no se ha podido enviar. Inténtelo de nuevo, por favor.',
    too_long: 'No se ha enviado: este texto tiene {length} caracteres y caben unos {max}. Acórtelo, por favor.',
    files: 'No se ha enviado: este formulario no permite enviar archivos. Vuelva a enviarlo para mandarlo sin ellos.',
    email: 'Introduzca una dirección de correo electrónico.',
    bot_check: 'Confirme que no es un robot, por favor.',
    file_type: 'No se ha enviado: este campo solo admite {types}.',
    file_too_large: 'No se ha enviado: el archivo ocupa más de {max}.',
    file_count: 'No se ha enviado: elija como máximo {count} archivos, por favor.',
    file_infected: 'No se ha enviado: es posible que el archivo contenga software malicioso. Compruébelo, por favor.',
  },
  it: {
    accepted: 'Grazie, il modulo è stato inviato.',
    unavailable: 'Spiacenti, l’invio non è riuscito. La preghiamo di riprovare.',
    too_long:
      'Non inviato: il testo è di {length} caratteri e il massimo è di circa {max}. La preghiamo di accorciarlo.',
    files:
      'Non inviato: con questo modulo non è possibile inviare file. Lo invii di nuovo per trasmetterlo senza file.',
    email: 'Inserisca un indirizzo e-mail.',
    bot_check: 'Confermi di non essere un robot.',
    file_type: 'Non inviato: questo campo accetta solo {types}.',
    file_too_large: 'Non inviato: il file supera {max}.',
    file_count: 'Non inviato: scelga al massimo {count} file.',
    file_infected: 'Non inviato: il file potrebbe contenere un malware. La preghiamo di controllarlo.',
  },
  nl: {
    accepted: 'Bedankt, het formulier is verzonden.',
    unavailable: 'Het verzenden is helaas niet gelukt. Probeert u het alstublieft opnieuw.',
    too_long:
      'Niet verzonden: deze tekst telt {length} tekens en er passen er ongeveer {max}. Maakt u de tekst alstublieft korter.',
    files:
      'Niet verzonden: met dit formulier kunt u geen bestanden versturen. Verzend het opnieuw om het zonder bestanden te versturen.',
    email: 'Vul een e-mailadres in.',
    bot_check: 'Bevestig dat u geen robot bent.',
    file_type: 'Niet verzonden: dit veld accepteert alleen {types}.',
    file_too_large: 'Niet verzonden: het bestand is groter dan {max}.',
    file_count: 'Niet verzonden: kies hooguit {count} bestanden.',
    file_infected: 'Niet verzonden: het bestand bevat mogelijk malware. Controleer het alstublieft.',
  },
  pt: {
    accepted: 'Obrigado, o formulário foi enviado.',
    unavailable: 'Lamentamos, mas não foi possível enviar. Tente novamente, por favor.',
    too_long: 'Não enviado: este texto tem {length} caracteres e cabem cerca de {max}. Por favor, encurte-o.',
    files: 'Não enviado: este formulário não permite enviar anexos. Envie novamente para prosseguir sem eles.',
    email: 'Indique um endereço de e-mail.',
    bot_check: 'Confirme que não é um robô.',
    file_type: 'Não enviado: este campo só aceita {types}.',
    file_too_large: 'Não enviado: o ficheiro tem mais de {max}.',
    file_count: 'Não enviado: escolha no máximo {count} ficheiros.',
    file_infected: 'Não enviado: o ficheiro pode conter software malicioso. Por favor, verifique-o.',
  },
  pl: {
    accepted: 'Dziękujemy, formularz został wysłany.',
    unavailable: 'Niestety nie udało się wysłać formularza. Prosimy spróbować ponownie.',
    too_long: 'Nie wysłano: tekst jest za długi (znaków: {length}, limit: około {max}). Prosimy go skrócić.',
    files:
      'Nie wysłano: w tym formularzu nie można przesyłać plików. Prosimy wysłać go ponownie, aby przesłać go bez plików.',
    email: 'Prosimy podać adres e-mail.',
    bot_check: 'Prosimy potwierdzić, że formularz wypełnia człowiek.',
    file_type: 'Nie wysłano: to pole przyjmuje tylko pliki: {types}.',
    file_too_large: 'Nie wysłano: plik jest większy niż {max}.',
    file_count: 'Nie wysłano: prosimy wybrać najwyżej tyle plików: {count}.',
    file_infected: 'Nie wysłano: plik może zawierać złośliwe oprogramowanie. Prosimy go sprawdzić.',
  },
} satisfies Record<string, VisitorTexts>

export type Language = keyof typeof languages
