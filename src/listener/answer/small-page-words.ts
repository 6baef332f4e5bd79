/** The supported languages; the first is the default. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'] as const
export type SmallPageLanguage = (typeof languages)[number]

interface Words {
  /** Where no page is. */
  nowhereTitle: string
  nowhere: string
  /** A form that was posted to its page, without the script. */
  notSentTitle: string
  notSent: string
  /** Follows `notSent` if the account has a contact. */
  orContact: string
  home: string
  /** Stands before an address. */
  contact: string
}

export const smallPageWords: Readonly<Record<SmallPageLanguage, Words>> = {
  en: {
    nowhereTitle: 'Nothing here',
    nowhere: 'There is no page at this address. Check the link you followed.',
    notSentTitle: 'Nothing was sent',
    notSent:
      'This form needs JavaScript, and your browser does not run it here. Nothing of what you entered has been sent or kept. Please go back, switch JavaScript on for this site, and send the form again.',
    orContact: 'Or get in touch directly:',
    home: 'Home page',
    contact: 'Contact:',
  },
  de: {
    nowhereTitle: 'Hier ist nichts',
    nowhere: 'Unter dieser Adresse gibt es keine Seite. Bitte prüfen Sie den Link, dem Sie gefolgt sind.',
    notSentTitle: 'Es wurde nichts gesendet',
    notSent:
      'Dieses Formular braucht JavaScript, und Ihr Browser führt es hier nicht aus. Nichts von dem, was Sie eingegeben haben, wurde gesendet oder gespeichert. Bitte gehen Sie zurück, schalten Sie JavaScript für diese Website ein und senden Sie das Formular noch einmal.',
    orContact: 'Oder melden Sie sich direkt:',
    home: 'Startseite',
    contact: 'Kontakt:',
  },
  fr: {
    nowhereTitle: 'Il n’y a rien ici',
    nowhere: 'Aucune page ne se trouve à cette adresse. Vérifiez le lien que vous avez suivi.',
    notSentTitle: 'Rien n’a été envoyé',
    notSent:
      'Ce formulaire a besoin de JavaScript, que votre navigateur n’exécute pas ici. Rien de ce que vous avez saisi n’a été envoyé ni conservé. Revenez en arrière, activez JavaScript pour ce site, puis envoyez à nouveau le formulaire.',
    orContact: 'Ou contactez-nous directement :',
    home: 'Page d’accueil',
    contact: 'Contact :',
  },
  es: {
    nowhereTitle: 'Aquí no hay nada',
    nowhere: 'No hay ninguna página en esta dirección. Compruebe el enlace que ha seguido.',
    notSentTitle: 'No se ha enviado nada',
    notSent:
      'Este formulario necesita JavaScript y su navegador no lo ejecuta aquí. Nada de lo que ha escrito se ha enviado ni guardado. Vuelva atrás, active JavaScript para este sitio y envíe el formulario de nuevo.',
    orContact: 'O póngase en contacto directamente:',
    home: 'Página de inicio',
    contact: 'Contacto:',
  },
  it: {
    nowhereTitle: 'Qui non c’è nulla',
    nowhere: 'A questo indirizzo non c’è alcuna pagina. Controlli il link che ha seguito.',
    notSentTitle: 'Non è stato inviato nulla',
    notSent:
      'Questo modulo ha bisogno di JavaScript, che il Suo browser qui non esegue. Nulla di ciò che ha inserito è stato inviato o conservato. Torni indietro, attivi JavaScript per questo sito e invii di nuovo il modulo.',
    orContact: 'Oppure ci contatti direttamente:',
    home: 'Pagina iniziale',
    contact: 'Contatti:',
  },
  nl: {
    nowhereTitle: 'Hier is niets',
    nowhere: 'Op dit adres staat geen pagina. Controleer de link die u hebt gevolgd.',
    notSentTitle: 'Er is niets verzonden',
    notSent:
      'Dit formulier heeft JavaScript nodig en uw browser voert dat hier niet uit. Niets van wat u hebt ingevuld, is verzonden of bewaard. Ga terug, zet JavaScript aan voor deze site en verzend het formulier opnieuw.',
    orContact: 'Of neem rechtstreeks contact op:',
    home: 'Startpagina',
    contact: 'Contact:',
  },
  pt: {
    nowhereTitle: 'Não há nada aqui',
    nowhere: 'Não existe nenhuma página neste endereço. Verifique a ligação que seguiu.',
    notSentTitle: 'Nada foi enviado',
    notSent:
      'Este formulário precisa de JavaScript, que o seu navegador não executa aqui. Nada do que escreveu foi enviado ou guardado. Volte atrás, ative o JavaScript para este site e envie o formulário novamente.',
    orContact: 'Ou entre em contacto diretamente:',
    home: 'Página inicial',
    contact: 'Contacto:',
  },
  pl: {
    nowhereTitle: 'Tu nic nie ma',
    nowhere: 'Pod tym adresem nie ma żadnej strony. Sprawdź link, którego użyto.',
    notSentTitle: 'Nic nie zostało wysłane',
    notSent:
      'Ten formularz wymaga JavaScriptu, którego przeglądarka tutaj nie uruchamia. Nic z wpisanych danych nie zostało wysłane ani zapisane. Wróć, włącz JavaScript dla tej witryny i wyślij formularz ponownie.',
    orContact: 'Możesz też skontaktować się bezpośrednio:',
    home: 'Strona główna',
    contact: 'Kontakt:',
  },
}
