import { readReplyOptOut } from '../../account/reply-opt-out.ts'
import { LedgerUnavailable } from '../../ledger/ledger.ts'
import { acceptedLanguage } from '../answer/accepted.ts'
import { methodNotAllowed } from '../answer/answers.ts'
import { smallPage, wayOn } from '../answer/small-page.ts'
import type { SmallPageLanguage } from '../answer/small-page-words.ts'
import type { SiteArrival } from '../arrival.ts'
import type { ListenerParts } from '../listener-parts.ts'
import { notHere } from '../router.ts'

const retryAfterSeconds = 2

/**
 * `/_svc/u/<token>`: where a visitor has no more replies (RFC 8058). GET shows a button and changes nothing, since programs
 * follow the links of a mail; POST is what the button and mail programs send. Its body is not read: the token says it all.
 */
export function optOutRoute({ directory, optOuts, clock }: Pick<ListenerParts, 'directory' | 'optOuts' | 'clock'>) {
  return async (arrival: SiteArrival, { id: token = '' }: Record<string, string>): Promise<Response> => {
    const { request, site } = arrival
    const accountId = site.account.id
    const mark = readReplyOptOut(token, { accountId, keys: directory.signingKeys, now: clock.now() })
    if (mark === null) return notHere(arrival)
    if (request.method !== 'POST') return isReading(request) ? question(arrival) : methodNotAllowed('GET, HEAD, POST')
    try {
      await optOuts.add(accountId, mark)
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error
      return question(arrival, true)
    }
    return done(arrival)
  }
}

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

/** @param isUnkept whether the button was pressed, in vain */
function question({ request, site }: SiteArrival, isUnkept = false): Response {
  const language = acceptedLanguage(request)
  const { title, text, button, unkept } = optOutWords[language]
  const page = { language, site, title, button }
  if (!isUnkept) return smallPage({ ...page, status: 200, text })
  return smallPage({ ...page, status: 503, text: unkept, headers: { 'retry-after': String(retryAfterSeconds) } })
}

function done({ request, site }: SiteArrival): Response {
  const language = acceptedLanguage(request)
  const { doneTitle: title, done: text } = optOutWords[language]
  return smallPage({ status: 200, language, site, title, text, links: wayOn(site, { language }) })
}

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
const optOutWords: Readonly<Record<SmallPageLanguage, OptOutWords>> = {
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
