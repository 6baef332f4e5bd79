import type { Texts } from './en.ts'

export const it: Texts = {
  client: {
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

  leadMail: {},

  smallPages: {
    home: 'Pagina iniziale',
    contact: 'Contatti:',
    nowhere: {
      title: 'Qui non c’è nulla',
      text: 'A questo indirizzo non c’è alcuna pagina. Controlli il link che ha seguito.',
    },
    notSent: {
      title: 'Non è stato inviato nulla',
      text: 'Questo modulo ha bisogno di JavaScript, che il Suo browser qui non esegue. Nulla di ciò che ha inserito è stato inviato o conservato. Torni indietro, attivi JavaScript per questo sito e invii di nuovo il modulo.',
      orContact: 'Oppure ci contatti direttamente:',
    },
    linkBroken: {
      title: 'Questo link non funziona',
      text: 'Forse è stato tagliato lungo il percorso. Provi a copiarlo per intero dal messaggio.',
    },
    linkElsewhere: {
      title: 'Questo link porta altrove',
      text: 'Punta a un indirizzo a cui questo sito non rimanda, perciò si ferma qui.',
    },
    linkOneMoreStep: {
      title: 'Ancora un passo',
      text: 'In questo momento non abbiamo potuto reindirizzarLa automaticamente. Segua questo link:',
    },
    previewWrong: {
      title: 'Questo link di anteprima non funziona',
      text: 'Non è stato copiato per intero, è stato modificato o è stato ritirato. Chieda a chi gliel’ha inviato di inviarlo di nuovo.',
    },
    previewExpired: {
      title: 'Questa anteprima è scaduta',
      text: 'Il link era corretto, ma la sua validità è terminata in data {until}. Ne chieda uno nuovo a chi gliel’ha inviato.',
    },
    previewForgotten: {
      title: 'Questa versione non è più conservata',
      text: 'Il link mostra la versione {version}, sostituita da altre più recenti. Chieda a chi gliel’ha inviato un link a una versione successiva.',
    },
    busy: {
      title: 'Torniamo tra un attimo',
      text: 'Questo sito sta già servendo tutti i visitatori che può. Riprovi tra qualche secondo.',
    },
    pageLost: {
      title: 'Torniamo tra un attimo',
      text: 'In questo momento la pagina non può essere mostrata.',
    },
    tooManyDownloads: {
      title: 'Troppi download contemporanei',
      text: 'Attenda che uno dei Suoi download sia terminato, poi apra di nuovo questo indirizzo.',
    },
    reportGone: {
      title: 'Questo rapporto non c’è',
      text: 'Il link è scaduto, è stato ritirato o non è stato copiato per intero. Ne chieda uno nuovo a chi gliel’ha inviato.',
    },
  },

  confirm: {
    button: 'Conferma',
    mail: {
      asks: 'Per confermare, apra questo link e prema il pulsante:',
      lasts: 'Il link è valido per {days} giorni.',
      ignore: 'Se non ha inviato Lei questo modulo, ignori questa e-mail.',
    },
    question: {
      title: 'Confermi, per favore',
      text: 'Prema il pulsante per confermare ciò che ha inviato a questo sito.',
      unkept: 'Non è stato possibile salvare la Sua conferma. Prema di nuovo il pulsante tra un momento.',
    },
    done: {
      title: 'Grazie',
      text: 'La Sua conferma è arrivata.',
    },
    ended: {
      title: 'Questo link non è più valido',
      text: 'È troppo vecchio, oppure ciò a cui si riferiva non è più conservato. Compili di nuovo il modulo per ricevere un nuovo link.',
    },
  },

  reply: {
    unsubscribe: 'Annulla l’iscrizione',
    question: {
      title: 'Niente più e-mail?',
      text: 'Prema il pulsante e questo sito non invierà più risposte automatiche al Suo indirizzo.',
      button: 'Annulla l’iscrizione',
      unkept: 'Non è stato possibile salvare la richiesta. Prema di nuovo il pulsante tra un momento.',
    },
    done: {
      title: 'Fatto',
      text: 'Non riceverà più risposte automatiche da questo sito.',
    },
  },

  report: {
    example: 'Questo è un esempio, inviato per provare questa destinazione.',
    exampleMark: '[Esempio]',
    subject: '{account}: {title}, {leads}',
    dates: '{dates} · fuso orario {zone}',
    zone: 'Fuso orario {zone}',
    madeOn: 'Creato in data {date}.',
    words:
      'Una visita è tutto ciò che un browser fa finché non si ferma per mezz’ora; un visitatore è un browser che conserva il suo cookie. Una richiesta è un modulo inviato e accettato, senza ripetizioni. La conversione è il numero di richieste ogni cento visite. I bot che si identificano non contano.',
    wordsInShort: 'La conversione è il numero di richieste ogni cento visite; i bot che si identificano non contano.',
    week: 'Settimana {week}',
    weekOfYear: 'Settimana {week} del {year}',

    when: {
      months: [
        'a gennaio',
        'a febbraio',
        'a marzo',
        'ad aprile',
        'a maggio',
        'a giugno',
        'a luglio',
        'ad agosto',
        'a settembre',
        'a ottobre',
        'a novembre',
        'a dicembre',
      ],
      week: 'nella settimana precedente',
      day: 'nel giorno precedente',
      days: { one: 'nel giorno precedente ({count})', other: 'nei {count} giorni precedenti' },
      dates: 'nel periodo {dates}',
      date: 'in data {date}',
    },

    change: {
      more: '{amount} in più',
      fewer: '{amount} in meno',
      underPercent: 'meno dell’{percent}',
      same: 'nessuna variazione',
      noneInBoth: 'nessuna in entrambi',
      noneBefore: 'nessuna prima',
      noneNow: 'nessuna ora',
      pointsMore: '{points} punti in più',
      pointsLess: '{points} punti in meno',
      sameShare: 'nessuna variazione',
    },

    summary: {
      nothing: 'Nessuna visita e nessuna richiesta.',
      plain: '{visits} e {leads}.',
      visitsCompared: '{visits} ({since}) e {leads}.',
      compared: '{visits} ({since}) e {leads} ({change}).',
      than: '{change} che {when}',
      same: 'tante quante {when}',
      noneBefore: 'nessuna {when}',
      noneInBoth: 'come {when}',
      noneNow: '{before} {when}',
      noVisits: 'Nessuna visita',
      noLeads: 'nessuna richiesta',
      bestSource: 'Fonte migliore: {source}, con {leads}.',
      mostViewed: 'Pagina più vista: {page}, con {views}.',
    },

    counted: {
      visits: { one: '{count} visita', other: '{count} visite' },
      views: { one: '{count} pagina vista', other: '{count} pagine viste' },
      pageViews: { one: '{count} visualizzazione', other: '{count} visualizzazioni' },
      leads: { one: '{count} richiesta', other: '{count} richieste' },
      clicks: { one: '{count} clic di una persona', other: '{count} clic di persone' },
    },

    figures: {
      visitors: 'Visitatori',
      visits: 'Visite',
      views: 'Pagine viste',
      leads: 'Richieste',
      conversion: 'Conversione',
      clicks: 'Clic di persone',
      noVisitors: 'I dati con cui si contano sono stati eliminati.',
      noVisits: 'Non ci sono state visite.',
      notFromVisits: 'Le richieste sono arrivate da pagine le cui visite qui non si contano.',
    },

    notes: {
      unfinished: 'Questi dati comprendono il giorno {date}, non ancora concluso.',
      comparedWith: 'Sono confrontati con quelli registrati {when}.',
      nothingYet: 'Finora non è stato contato nulla.',
      beganLater: 'Il conteggio è iniziato più tardi, in data {date}.',
      began: 'Il conteggio è iniziato in data {date}. Per i giorni precedenti non ci sono dati.',
      noEarlier:
        'Il conteggio è iniziato in data {date}, quindi non c’è un periodo precedente completo con cui fare un confronto.',
      lost: {
        one: '{count} pagina vista non si è potuta salvare e non compare in alcun dato.',
        other: '{count} pagine viste non si sono potute salvare e non compaiono in alcun dato.',
      },
      waiting: {
        one: '{count} registrazione è ancora in elaborazione e non compare in questi dati.',
        other: '{count} registrazioni sono ancora in elaborazione e non compaiono in questi dati.',
      },
    },

    series: {
      title: 'Andamento',
      byDay: '{figure} per giorno',
      byWeek: '{figure} per settimana',
      byMonth: '{figure} per mese',
      highest: '{sum} in totale, il massimo: {label} ({most}).',
      behind: 'Sullo sfondo: {when}.',
      grey: 'In grigio: {when}.',
      pale: '(in chiaro: {when})',
      upTo: 'fino a {count}',
      tableByDay: 'In cifre, per giorno',
      tableByWeek: 'In cifre, per settimana',
      tableByMonth: 'In cifre, per mese',
      day: 'Giorno',
      week: 'Settimana dal',
      month: 'Mese',
      before: '{figure} {when}',
    },

    lists: {
      forms: {
        title: 'Richieste per modulo',
        heading: 'Modulo',
        more: { one: 'e {count} altro modulo', other: 'e altri {count} moduli' },
        empty: 'Non è stato inviato alcun modulo.',
        gone: '{id} (non esiste più)',
        repeats: {
          one: '{count} ripetizione di una richiesta qui non è contata.',
          other: '{count} ripetizioni di richieste qui non sono contate.',
        },
      },
      sources: {
        title: 'Richieste per fonte',
        heading: 'Fonte',
        more: { one: 'e {count} altra fonte', other: 'e altre {count} fonti' },
        empty: 'Nessuna richiesta.',
        direct: 'Diretto',
        unknown: 'Sconosciuta',
        others: 'Altre fonti',
      },
      campaigns: {
        title: 'Richieste per campagna',
        heading: 'Campagna',
        more: { one: 'e {count} altra campagna', other: 'e altre {count} campagne' },
      },
      pages: {
        title: 'Pagine più viste',
        heading: 'Pagina',
        views: 'Visualizzazioni',
        more: { one: 'e {count} altra pagina', other: 'e altre {count} pagine' },
        empty: 'Nessuna pagina di destinazione è stata vista.',
        elsewhere: {
          one: '{count} altra pagina vista, su altri siti web con lo script.',
          other: '{count} altre pagine viste, su altri siti web con lo script.',
        },
      },
      messages: {
        title: 'Clic per messaggio',
        heading: 'Messaggio',
        human: 'Persone',
        suspected: 'Sospetti',
        machine: 'Macchine',
        more: { one: 'e {count} altro messaggio', other: 'e altri {count} messaggi' },
        none: 'Link senza messaggio',
        hint: 'Anche i filtri di posta seguono i link. I clic che sono sicuramente loro sono sotto «Macchine», quelli possibili sotto «Sospetti».',
      },
    },

    goals: {
      title: 'Obiettivi',
      heading: 'Obiettivo',
      more: { one: 'e {count} altro obiettivo', other: 'e altri {count} obiettivi' },
      visitsBefore: 'Visite prima',
      ofAll: 'Su tutte le visite',
      times: 'Volte',
      form: 'Modulo {name}',
      event: 'Evento {name}',
      since: '{name} è contato a partire dal giorno {date}; la sua quota è quella delle visite da allora.',
    },
    funnels: {
      title: 'Percorsi',
      step: 'Passo',
      more: { one: 'e {count} altro passo', other: 'e altri {count} passi' },
      ofFirst: 'Del primo',
      nobody: 'Nessuna visita ha raggiunto il primo passo.',
      reached: 'Delle visite che hanno raggiunto il primo passo, {percent} hanno raggiunto anche l’ultimo.',
    },
    splits: {
      title: 'Versioni delle pagine',
      titleOf: 'Versioni di {page}',
      version: 'Versione',
      more: { one: 'e {count} altra versione', other: 'e altre {count} versioni' },
      itself: '{name} (la pagina stessa)',
      range: 'Conversione, con il suo intervallo al 95%',
      fromTo: 'da {low} a {high}',
      verdict: 'Verdetto: {verdict}.',
      noDifference: 'ancora nessuna differenza',
      better: '{name} è migliore {than}',
      betterThanSome: '{name} è migliore {than}; ancora nessuna differenza con {names}',
      than: 'di {name} (su 100 visite, da {low} a {high} in più portano una richiesta)',
    },

    missing: {
      title: 'Cercato e non trovato',
      address: 'Indirizzo',
      times: 'Volte',
      advice:
        'A questi indirizzi non c’è nulla. Se un vecchio link porta a uno di essi, un reindirizzamento guiderebbe i visitatori altrove.',
    },

    keptOut: {
      title: 'Ciò che non è passato',
      nothing: 'Nulla degno di nota.',
      inQuarantine: 'In quarantena.',
      quarantine: {
        one: '{count} invio sembrava di un bot ed è stato messo da parte. Se è autentico, si può liberare e allora conta come richiesta.',
        other:
          '{count} invii sembravano di bot e sono stati messi da parte. Se uno è autentico, si può liberare e allora conta come richiesta.',
      },
      times: { one: '{what}: {count} volta.', other: '{what}: {count} volte.' },
      reasons: {
        unreadable: {
          what: 'Qualcosa ha inviato dati illeggibili',
          advice: 'Molto probabilmente è un programma e non un visitatore: se è Suo, lo faccia correggere.',
        },
        tooMuchAsked: {
          what: 'Un indirizzo ha inviato moltissimo in poco tempo',
          advice: 'Di solito è un robot; se era un ufficio pieno di visitatori, faccia alzare il limite.',
        },
        tooMuchDownloaded: {
          what: 'Si è scaricato troppo in una volta',
          advice: 'Forse i file grandi stanno meglio altrove.',
        },
        origin: {
          what: 'Un sito web che non è nell’elenco ha inviato moduli o eventi',
          advice: 'Se è Suo, lo faccia aggiungere ai siti consentiti.',
        },
        trackingKey: {
          what: 'Sono arrivati eventi senza la chiave di tracciamento giusta',
          advice: 'Lo script del sito ha bisogno della chiave attuale.',
        },
        form: {
          what: 'Una pagina ha inviato un modulo che qui non esiste',
          advice:
            'Indica un modulo vecchio o scritto male: faccia correggere l’identificativo del modulo sulla pagina.',
        },
        size: {
          what: 'Un modulo era più lungo di quanto sia consentito',
          advice: 'Faccia alzare il limite, o chieda meno testo nel modulo.',
        },
        storage: {
          what: 'Qualcosa non si è potuto salvare',
          advice: 'Chi gestisce il servizio dovrebbe controllarne il disco.',
        },
        noScript: {
          what: 'Un modulo è stato inviato senza il suo script',
          advice:
            'Verifichi che lo script sia nella pagina e si carichi; un indirizzo di contatto aiuta i visitatori che lo hanno disattivato.',
        },
      },
    },
  },
}
