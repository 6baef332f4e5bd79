import type { SmallPageLanguage } from './small-page-words.ts'

interface OptOutWords {
  title: string
  text: string
  button: string
  /** In place of the text, when the request could not be stored. */
  unkept: string
  doneTitle: string
  done: string
}

/** What the page says at which a visitor has no more mail from an account. */
export const optOutWords: Readonly<Record<SmallPageLanguage, OptOutWords>> = {
  en: {
    title: 'No more mail?',
    text: 'Press the button and this site will send no more automatic replies to your address.',
    button: 'Unsubscribe',
    unkept: 'This could not be saved just now. Please press the button again in a moment.',
    doneTitle: 'Done',
    done: 'You will get no more automatic replies from this site.',
  },
  de: {
    title: 'Keine E-Mails mehr?',
    text: 'Wenn Sie auf die Schaltfläche klicken, sendet diese Website keine automatischen Antworten mehr an Ihre Adresse.',
    button: 'Abmelden',
    unkept: 'Das konnte gerade nicht gespeichert werden. Bitte klicken Sie gleich noch einmal auf die Schaltfläche.',
    doneTitle: 'Erledigt',
    done: 'Sie erhalten keine automatischen Antworten mehr von dieser Website.',
  },
  fr: {
    title: 'Plus d’e-mails ?',
    text: 'Appuyez sur le bouton et ce site n’enverra plus de réponses automatiques à votre adresse.',
    button: 'Se désabonner',
    unkept: 'Votre demande n’a pas pu être enregistrée. Appuyez à nouveau sur le bouton dans un instant.',
    doneTitle: 'C’est fait',
    done: 'Vous ne recevrez plus de réponses automatiques de ce site.',
  },
  es: {
    title: '¿No quiere más correos?',
    text: 'Pulse el botón y este sitio dejará de enviar respuestas automáticas a su dirección.',
    button: 'Cancelar la suscripción',
    unkept: 'No se ha podido guardar en este momento. Vuelva a pulsar el botón dentro de un instante.',
    doneTitle: 'Hecho',
    done: 'No recibirá más respuestas automáticas de este sitio.',
  },
  it: {
    title: 'Niente più e-mail?',
    text: 'Prema il pulsante e questo sito non invierà più risposte automatiche al Suo indirizzo.',
    button: 'Annulla l’iscrizione',
    unkept: 'Non è stato possibile salvare la richiesta. Prema di nuovo il pulsante tra un momento.',
    doneTitle: 'Fatto',
    done: 'Non riceverà più risposte automatiche da questo sito.',
  },
  nl: {
    title: 'Geen e-mail meer?',
    text: 'Klik op de knop, dan stuurt deze site geen automatische antwoorden meer naar uw adres.',
    button: 'Afmelden',
    unkept: 'Dit kon zojuist niet worden opgeslagen. Klik zo dadelijk nog eens op de knop.',
    doneTitle: 'Gelukt',
    done: 'U ontvangt geen automatische antwoorden meer van deze site.',
  },
  pt: {
    title: 'Não quer mais e-mails?',
    text: 'Prima o botão e este site deixará de enviar respostas automáticas para o seu endereço.',
    button: 'Cancelar a subscrição',
    unkept: 'Não foi possível guardar o pedido. Volte a premir o botão dentro de momentos.',
    doneTitle: 'Concluído',
    done: 'Não receberá mais respostas automáticas deste site.',
  },
  pl: {
    title: 'Bez kolejnych e-maili?',
    text: 'Po naciśnięciu przycisku ta witryna nie będzie już wysyłać automatycznych odpowiedzi na Twój adres.',
    button: 'Wypisz mnie',
    unkept: 'Nie udało się teraz tego zapisać. Proszę za chwilę ponownie nacisnąć przycisk.',
    doneTitle: 'Gotowe',
    done: 'Nie będziesz już otrzymywać automatycznych odpowiedzi z tej witryny.',
  },
}
