import type { Texts } from './en.ts'

export const de: Texts = {
  client: {
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

  leadMail: {
    wrote: '{who} hat Ihnen geschrieben',
    visitor: 'Ein Besucher',
    newMessage: 'eine neue Nachricht',
    newMessages: { one: '{count} neue Nachricht', other: '{count} neue Nachrichten' },
    answer: 'Antworten Sie auf diese E-Mail, um {who} zu schreiben.',
    answerVisitor: 'Antworten Sie auf diese E-Mail, um dem Besucher zu schreiben.',
    noAddress: 'Der Besucher hat keine Adresse für eine Antwort hinterlassen.',
    testMark: '[Test]',
    test: 'Dies ist ein Test. Niemand hat ihn abgeschickt.',
    released: 'Diese Nachricht wurde als die eines Programms zurückgehalten und von Hand freigegeben.',
    backfilled: 'Diese Nachricht kam, bevor diese Zustellung eingerichtet war, und wird nachgereicht.',
    moreFields: { one: 'und {count} weiteres Feld', other: 'und {count} weitere Felder' },
    further: {
      one: '{count} weitere Nachricht folgt in der nächsten E-Mail.',
      other: '{count} weitere Nachrichten folgen in den nächsten E-Mails.',
    },
    received: 'Eingegangen',
    page: 'Seite',
    source: 'Quelle',
    files: 'Dateien',
    direct: 'direkt',
    campaign: 'Kampagne {name}',
    nameless: '(ohne Namen)',
    open: 'Diese Nachricht öffnen',
    sent: 'Gesendet von {domain}, Zustellung „{name}“.',
    credit: 'Gesendet mit Capture.',
  },

  smallPages: {
    home: 'Startseite',
    contact: 'Kontakt:',
    nowhere: {
      title: 'Hier ist nichts',
      text: 'Unter dieser Adresse gibt es keine Seite. Bitte prüfen Sie den Link, dem Sie gefolgt sind.',
    },
    notSent: {
      title: 'Es wurde nichts gesendet',
      text: 'Dieses Formular braucht JavaScript, und Ihr Browser führt es hier nicht aus. Nichts von dem, was Sie eingegeben haben, wurde gesendet oder gespeichert. Bitte gehen Sie zurück, schalten Sie JavaScript für diese Website ein und senden Sie das Formular noch einmal.',
      orContact: 'Oder melden Sie sich direkt:',
    },
    linkBroken: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Vielleicht wurde er auf dem Weg zu Ihnen abgeschnitten. Kopieren Sie ihn bitte vollständig aus der Nachricht.',
    },
    linkElsewhere: {
      title: 'Dieser Link führt woandershin',
      text: 'Er verweist auf eine Adresse, zu der diese Website nicht weiterleitet. Deshalb endet er hier.',
    },
    linkOneMoreStep: {
      title: 'Nur noch ein Schritt',
      text: 'Wir konnten Sie gerade nicht automatisch weiterleiten. Bitte folgen Sie diesem Link:',
    },
    previewWrong: {
      title: 'Dieser Vorschau-Link funktioniert nicht',
      text: 'Er wurde nicht vollständig kopiert, verändert oder zurückgezogen. Bitte lassen Sie ihn sich noch einmal schicken.',
    },
    previewExpired: {
      title: 'Diese Vorschau ist abgelaufen',
      text: 'Der Link war richtig und galt bis {until}. Bitte lassen Sie sich einen neuen schicken.',
    },
    previewForgotten: {
      title: 'Diese Fassung wird nicht mehr aufbewahrt',
      text: 'Der Link zeigt Fassung {version}, die inzwischen durch neuere ersetzt wurde. Bitte lassen Sie sich einen Link zu einer späteren schicken.',
    },
    busy: {
      title: 'Gleich wieder da',
      text: 'Diese Website bedient gerade so viele Besucher, wie sie kann. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
    },
    pageLost: {
      title: 'Gleich wieder da',
      text: 'Diese Seite kann gerade nicht angezeigt werden.',
    },
    tooManyDownloads: {
      title: 'Zu viele Downloads auf einmal',
      text: 'Bitte warten Sie, bis einer Ihrer Downloads beendet ist, und öffnen Sie diese Adresse dann noch einmal.',
    },
    reportGone: {
      title: 'Diesen Bericht gibt es nicht',
      text: 'Der Link ist abgelaufen, wurde zurückgezogen oder nicht vollständig kopiert. Bitte lassen Sie sich einen neuen schicken.',
    },
  },

  console: {
    skip: 'Zum Inhalt',
    menu: 'Menü',
    signOut: 'Abmelden',
    signIn: 'Ihre Anmeldung',
    help: 'Hilfe',
    accounts: 'Konten',
    allAccounts: 'Alle Konten ({count})',
    switchAccount: 'Konto wechseln',
    report: 'Bericht',
    leads: 'Anfragen',
    download: 'Herunterladen',
    picture: 'Bild',
    period: {
      label: 'Zeitraum',
      '7d': '7 Tage',
      '30d': '30 Tage',
      month: 'Dieser Monat',
      'last-month': 'Letzter Monat',
      from: 'Von',
      to: 'bis',
      show: 'Anzeigen',
      noDays: 'Wählen Sie einen ersten und einen letzten Tag. Der Bericht zeigt die letzten 30 Tage.',
      reversed: 'Der letzte Tag liegt vor dem ersten. Der Bericht zeigt die letzten 30 Tage.',
      future: 'Diese Tage liegen in der Zukunft. Der Bericht zeigt die letzten 30 Tage.',
    },
    masked:
      'Namen, Adressen, Telefonnummern und lange Texte sind verborgen. Wenden Sie sich an Ihre Agentur, wenn Sie sie sehen müssen.',
    noLeads: 'Noch keine Anfragen. Eine neue Anfrage erscheint hier von selbst.',
    newLead: 'Neue Anfrage',
    older: 'Ältere',
    asCsv: 'Als CSV',
    lead: {
      about: 'Zu dieser Anfrage',
      received: 'Eingegangen',
      cameFrom: 'Gekommen über',
      unknown: 'unbekannt',
      page: 'Seite',
      download: 'Herunterladen, wie sie gezeigt wurde',
      all: 'Alle Anfragen',
      nothing: 'Es wurde kein Feld ausgefüllt.',
      call: 'Anrufen',
      write: 'E-Mail schreiben',
      files: 'Dateien',
      filesHidden: {
        one: '{count} Datei. Ihre Agentur kann sie öffnen.',
        other: '{count} Dateien. Ihre Agentur kann sie öffnen.',
      },
      filesHint: 'Das hat ein Besucher gesendet. Öffnen Sie es so vorsichtig wie den Anhang eines Fremden.',
      yes: 'ja',
      no: 'nein',
    },
    signingIn: {
      title: 'Anmelden',
      address: 'E-Mail-Adresse',
      codeHint:
        'Die sechs Ziffern aus Ihrer Authenticator-App oder ein Wiederherstellungscode. Wenn Sie kein Passwort haben, lassen Sie das Feld leer, und geben Sie einen Wiederherstellungscode ein.',
      wrong: 'Adresse, Passwort oder Code ist falsch. Jeder Code gilt einmal.',
    },
    script: {
      offline:
        'Sie sind offline. Nichts wurde gesendet, und nichts ist verloren: Senden Sie es noch einmal, sobald Sie verbunden sind.',
      retyped:
        'Noch ist nichts geschehen. Ihre Eingaben stehen wieder hier: Sehen Sie sie durch, und senden Sie sie noch einmal.',
      passkeyFailed: 'Das hat nicht geklappt. Versuchen Sie es noch einmal, oder verwenden Sie Ihr Passwort.',
      selected: 'Markiert: bitte selbst kopieren',
    },
    messages: {
      nothingHere: {
        title: 'Hier ist nichts',
        text: 'Diese Seite gibt es nicht, oder Sie haben keinen Zugang zu ihr.',
      },
      signedOut: {
        title: 'Abgemeldet',
        text: 'Ihre Sitzung ist beendet. Melden Sie sich an, und versuchen Sie es noch einmal.',
      },
      notAllowed: {
        title: 'Nicht für Ihre Rolle',
        text: 'Wenn Sie das brauchen, wenden Sie sich an einen Admin des Kontos.',
      },
      crossSite: {
        title: 'Nicht von hier',
        text: 'Eine andere Website hat dieses Formular gesendet. Öffnen Sie diese Seite selbst, und versuchen Sie es noch einmal.',
      },
      failed: {
        title: 'Das hat nicht geklappt',
        text: 'Die Seite kann gerade nicht gezeigt werden. Versuchen Sie es noch einmal. Wenn es wieder nicht klappt, sagen Sie es bitte Ihrer Agentur.',
      },
      busy: {
        title: 'Zu viele Versuche',
        text: 'Warten Sie einige Minuten, und versuchen Sie es dann erneut. Mit einem Passkey können Sie sich gleich anmelden.',
      },
      gone: {
        title: 'Dieser Link gilt nicht mehr',
        text: 'Eine Einladung gilt einmal, 24 Stunden lang, solange es ihr Konto gibt. Bitten Sie um eine neue.',
      },
      lastAdmin: {
        title: 'Sie sind der letzte Admin',
        text: 'Das Konto hätte danach keinen Admin mehr. Machen Sie erst jemand anderen zum Admin, und öffnen Sie den Link dann noch einmal.',
      },
      tooLarge: {
        title: 'Zu groß',
        text: 'So viel nimmt diese Seite nicht an. Gehen Sie zurück, und senden Sie weniger.',
      },
      onceMore: {
        title: 'Einen Moment',
        text: 'Die Seite wird geöffnet …',
      },
    },
    toConsole: 'Zur Startseite',
    entry: {
      title: 'Willkommen',
      invited: 'Sie wurden als {email} eingeladen.',
      accept: 'Annehmen',
      passkey: 'Mit einem Passkey',
      passkeyText:
        'Ihr Fingerabdruck, Ihr Gesicht oder Ihre Bildschirmsperre meldet Sie an. Sie müssen sich kein Passwort merken.',
      createPasskey: 'Passkey erstellen',
      orPassword: 'Oder mit einem Passwort',
      password: 'Passwort',
      passwordHint: 'Mindestens {count} Zeichen. Vier zufällige Wörter ergeben ein gutes Passwort.',
      repeat: 'Passwort wiederholen',
      app: 'Authenticator-App',
      scan: 'Scannen Sie dies mit einer App wie Aegis, 1Password oder Google Authenticator, und geben Sie dann den angezeigten Code ein.',
      picture: 'Der Schlüssel für die App als QR-Code; darunter steht er als Text',
      openApp: 'In einer App auf diesem Gerät öffnen',
      orKey: 'oder geben Sie den Schlüssel ein:',
      code: 'Code aus der App',
      codesTitle: 'Bewahren Sie diese Codes auf',
      codes: 'Wiederherstellungscodes',
      codesForApp: 'Jeder Code meldet Sie einmal ohne die App an.',
      codesForPasskey:
        'Jeder Code meldet Sie einmal ohne den Passkey an: Geben Sie Ihre Adresse und den Code ein, aber kein Passwort.',
      shownOnce:
        'Sie werden nicht noch einmal gezeigt: Drucken Sie sie aus, oder speichern Sie sie in Ihrem Passwortmanager.',
      saved: 'Ich habe sie gespeichert',
      copy: 'Kopieren',
      copied: 'Kopiert',
      download: 'Herunterladen',
      print: 'Drucken',
      passwordsDiffer: 'Die beiden Passwörter sind verschieden.',
      wrongCode:
        'Das ist nicht der Code, den die App gerade zeigt. Prüfen Sie, ob die Uhr Ihres Telefons richtig geht.',
      wrongPasskey: 'Der Passkey wurde nicht angenommen. Erstellen Sie ihn noch einmal, oder wählen Sie ein Passwort.',
      newAccess: 'Neuer Zugang: {access}. Sie melden sich an wie bisher.',
      signInFirst: 'Sie haben sich hier schon einmal angemeldet. Melden Sie sich als {email} an, um anzunehmen.',
      passwordFaults: {
        short: 'Verwenden Sie mindestens {count} Zeichen: Vier zufällige Wörter sind besser als ein Wort mit Ziffern.',
        long: 'Verwenden Sie höchstens {count} Zeichen.',
        poor: 'Verwenden Sie mehr verschiedene Zeichen.',
        address: 'Verwenden Sie Ihre Adresse nicht im Passwort.',
        common:
          'Viele verwenden dieses Passwort, deshalb wird es zuerst ausprobiert. Vier zufällige Wörter sind besser.',
        names:
          'Bilden Sie das Passwort nicht aus Namen von Konten, Websites oder Capture: Sie werden zuerst ausprobiert.',
      },
    },
    me: {
      secrets: 'Passwort und Codes',
      changePassword: 'Passwort ändern',
      otherApp: 'Andere Authenticator-App verwenden',
      newCodes: 'Neue Wiederherstellungscodes',
      passkeys: 'Passkeys',
      noPasskeys:
        'Noch keine Passkeys. Ein Passkey meldet Sie mit Fingerabdruck, Gesicht oder Bildschirmsperre an, ohne Passwort oder Code.',
      confirmFirst: 'Bestätigen Sie, wer Sie sind, um einen Passkey hinzuzufügen',
      passkeyName: 'Name des neuen Passkeys',
      passkeyExample: 'Telefon',
      addPasskey: 'Passkey hinzufügen',
      sessions: 'Sitzungen',
      endOthers: 'Alle anderen Sitzungen beenden',
      passkey: 'Passkey',
      added: 'Hinzugefügt',
      lastUsed: 'Zuletzt verwendet',
      never: 'nie',
      remove: 'Entfernen',
      browser: 'Browser',
      otherBrowser: 'Anderer Browser',
      details: 'Einzelheiten',
      from: 'Von',
      end: 'Beenden',
      thisSession: 'diese Sitzung',
      sessionEnded: 'Die Sitzung ist beendet.',
      othersEnded: 'Alle anderen Sitzungen sind beendet.',
      passkeyRemoved: 'Der Passkey ist entfernt, und alle anderen Sitzungen sind beendet.',
      passkeyAdded: 'Der Passkey ist hinzugefügt.',
      onlyPasskey:
        'Sie melden sich nur mit diesem Passkey an. Fügen Sie erst einen weiteren hinzu, oder richten Sie Passwort und App ein.',
      newPassword: 'Neues Passwort',
      currentPassword: 'Aktuelles Passwort',
      wrongCurrent: 'Das aktuelle Passwort ist falsch.',
      forgot: 'Wenn Sie es vergessen haben, bestätigen Sie stattdessen mit einem Passkey, wer Sie sind',
      newPasswordField: 'Neues Passwort',
      repeatNew: 'Neues Passwort wiederholen',
      changeIt: 'Passwort ändern',
      othersEnd: 'Ihre anderen Sitzungen enden.',
      passwordChanged: 'Das Passwort ist geändert, und alle anderen Sitzungen sind beendet.',
      newApp: 'Neue Authenticator-App',
      useApp: 'Diese App verwenden',
      appChanged: 'Die neue App erzeugt nun Ihre Codes. Alle anderen Sitzungen sind beendet.',
      codesLeft: 'Verbleibende Codes: {count}. Neue Codes ersetzen sie alle.',
      makeCodes: 'Neue Codes erzeugen',
      confirm: 'Bestätigen Sie, wer Sie sind',
      confirmText:
        'Sie haben sich vor einer Weile angemeldet. Bestätigen Sie vor dieser Änderung, dass Sie es noch sind.',
      confirmCode: 'Code',
      confirmIt: 'Bestätigen',
      usePasskey: 'Passkey verwenden',
      wrongProof: 'Passwort oder Code ist falsch. Jeder Code gilt einmal.',
      tooMany: 'Zu viele Versuche. Warten Sie einige Minuten, und versuchen Sie es dann erneut.',
      sendAgain:
        'Sie haben bestätigt, wer Sie sind. Noch ist nichts geschehen: Sehen Sie Ihre Eingaben durch, und senden Sie sie noch einmal.',
    },
  },

  confirm: {
    button: 'Bestätigen',
    mail: {
      asks: 'Zum Bestätigen öffnen Sie diesen Link und klicken Sie auf die Schaltfläche:',
      lasts: 'Der Link gilt {days} Tage.',
      ignore: 'Wenn Sie dieses Formular nicht gesendet haben, ignorieren Sie diese E-Mail.',
    },
    question: {
      title: 'Bitte bestätigen',
      text: 'Klicken Sie auf die Schaltfläche, um zu bestätigen, was Sie an diese Website gesendet haben.',
      unkept:
        'Ihre Bestätigung konnte gerade nicht gespeichert werden. Bitte klicken Sie gleich noch einmal auf die Schaltfläche.',
    },
    done: {
      title: 'Vielen Dank',
      text: 'Ihre Bestätigung ist angekommen.',
    },
    ended: {
      title: 'Dieser Link gilt nicht mehr',
      text: 'Er ist zu alt, oder das, wofür er war, ist nicht mehr gespeichert. Bitte füllen Sie das Formular noch einmal aus, um einen neuen Link zu erhalten.',
    },
  },

  reply: {
    unsubscribe: 'Abmelden',
    question: {
      title: 'Keine E-Mails mehr?',
      text: 'Wenn Sie auf die Schaltfläche klicken, sendet diese Website keine automatischen Antworten mehr an Ihre Adresse.',
      button: 'Abmelden',
      unkept: 'Das konnte gerade nicht gespeichert werden. Bitte klicken Sie gleich noch einmal auf die Schaltfläche.',
    },
    done: {
      title: 'Erledigt',
      text: 'Sie erhalten keine automatischen Antworten mehr von dieser Website.',
    },
  },

  report: {
    example: 'Dies ist ein Beispiel, mit dem dieses Ziel getestet wird.',
    exampleMark: '[Beispiel]',
    subject: '{account}: {title}, {leads}',
    dates: '{dates} · Zeitzone {zone}',
    zone: 'Zeitzone {zone}',
    madeOn: 'Erstellt am {date}.',
    words:
      'Ein Besuch ist alles, was ein Browser tut, bis er eine halbe Stunde Pause macht; ein Besucher ist ein Browser, der sein Cookie behält. Eine Anfrage ist ein Formular, das gesendet und angenommen wurde, ohne Wiederholungen. Die Konversion ist die Zahl der Anfragen je hundert Besuche. Bots, die sich zu erkennen geben, zählen nicht.',
    wordsInShort:
      'Die Konversion ist die Zahl der Anfragen je hundert Besuche; Bots, die sich zu erkennen geben, zählen nicht.',
    week: 'Woche {week}',
    weekOfYear: 'Woche {week}, {year}',

    when: {
      months: [
        'im Januar',
        'im Februar',
        'im März',
        'im April',
        'im Mai',
        'im Juni',
        'im Juli',
        'im August',
        'im September',
        'im Oktober',
        'im November',
        'im Dezember',
      ],
      week: 'in der Woche davor',
      day: 'am Tag davor',
      days: { one: 'am Tag davor ({count})', other: 'in den {count} Tagen davor' },
      dates: 'im Zeitraum {dates}',
      date: 'am {date}',
    },

    change: {
      more: '{amount} mehr',
      fewer: '{amount} weniger',
      underPercent: 'unter {percent}',
      same: 'unverändert',
      noneInBoth: 'beide Male keine',
      noneBefore: 'vorher keine',
      noneNow: 'jetzt keine',
      pointsMore: '{points} Prozentpunkte mehr',
      pointsLess: '{points} Prozentpunkte weniger',
      sameShare: 'unverändert',
    },

    summary: {
      nothing: 'Keine Besuche und keine Anfragen.',
      plain: '{visits} und {leads}.',
      visitsCompared: '{visits} ({since}) und {leads}.',
      compared: '{visits} ({since}) und {leads} ({change}).',
      than: '{change} als {when}',
      same: 'so viele wie {when}',
      noneBefore: '{when} keine',
      noneInBoth: 'wie {when}',
      noneNow: '{when} {before}',
      noVisits: 'Keine Besuche',
      noLeads: 'keine Anfragen',
      bestSource: 'Beste Quelle: {source} mit {leads}.',
      mostViewed: 'Meistgesehene Seite: {page} ({views}).',
    },

    counted: {
      visits: { one: '{count} Besuch', other: '{count} Besuche' },
      views: { one: '{count} Seitenaufruf', other: '{count} Seitenaufrufe' },
      pageViews: { one: '{count} Aufruf', other: '{count} Aufrufe' },
      leads: { one: '{count} Anfrage', other: '{count} Anfragen' },
      clicks: { one: '{count} Klick eines Menschen', other: '{count} Klicks von Menschen' },
    },

    figures: {
      visitors: 'Besucher',
      visits: 'Besuche',
      views: 'Seitenaufrufe',
      leads: 'Anfragen',
      conversion: 'Konversion',
      clicks: 'Klicks von Menschen',
      noVisitors: 'Die Aufzeichnungen, aus denen sie gezählt werden, sind gelöscht.',
      noVisits: 'Es gab keine Besuche.',
      notFromVisits: 'Anfragen kamen von Seiten, deren Besuche hier nicht gezählt werden.',
    },

    notes: {
      unfinished: 'Diese Zahlen enthalten den {date}; der Tag ist noch nicht zu Ende.',
      comparedWith: 'Verglichen werden sie mit den Zahlen {when}, vom letzten Tag nur mit denselben Stunden.',
      nothingYet: 'Bisher wurde noch nichts gezählt.',
      beganLater: 'Gezählt wird erst ab dem {date}.',
      began: 'Gezählt wird seit dem {date}. Für frühere Tage gibt es keine Zahlen.',
      noEarlier:
        'Gezählt wird seit dem {date}. Deshalb gibt es keinen vollständigen früheren Zeitraum, mit dem verglichen werden kann.',
      lost: {
        one: '{count} Seitenaufruf konnte nicht gespeichert werden und ist in keiner Zahl enthalten.',
        other: '{count} Seitenaufrufe konnten nicht gespeichert werden und sind in keiner Zahl enthalten.',
      },
      waiting: {
        one: '{count} Datensatz wird noch verarbeitet und ist in diesen Zahlen nicht enthalten.',
        other: '{count} Datensätze werden noch verarbeitet und sind in diesen Zahlen nicht enthalten.',
      },
    },

    series: {
      title: 'Im Verlauf',
      byDay: '{figure} pro Tag',
      byWeek: '{figure} pro Woche',
      byMonth: '{figure} pro Monat',
      highest: '{sum} insgesamt, am meisten: {label} ({most}).',
      grey: 'Graue Linie: {when}.',
      line: '(Linie: {when})',
      paleParts: 'Blass: noch nicht zu Ende oder nicht ganz gezeigt.',
      part: 'Teil',
      figuresByDay: 'Zahlen pro Tag',
      upTo: 'bis {count}',
      tableByDay: 'In Zahlen, pro Tag',
      tableByWeek: 'In Zahlen, pro Woche',
      tableByMonth: 'In Zahlen, pro Monat',
      day: 'Tag',
      week: 'Woche ab',
      month: 'Monat',
      before: '{figure} {when}',
    },

    channels: {
      title: 'Was wirkt',
      sources: {
        title: 'Was wirkt, nach Quelle',
        by: 'Nach Quelle',
        heading: 'Quelle',
        more: { one: 'und {count} weitere Quelle', other: 'und {count} weitere Quellen' },
        own: { direct: 'Direkt', unknown: 'Unbekannt', '(other)': 'Andere Quellen' },
      },
      mediums: {
        title: 'Was wirkt, nach Medium',
        by: 'Nach Medium',
        heading: 'Medium',
        more: { one: 'und {count} weiteres Medium', other: 'und {count} weitere Medien' },
        own: { none: 'Keines', unknown: 'Unbekannt', '(other)': 'Andere' },
      },
      campaigns: {
        title: 'Was wirkt, nach Kampagne',
        by: 'Nach Kampagne',
        heading: 'Kampagne',
        more: { one: 'und {count} weitere Kampagne', other: 'und {count} weitere Kampagnen' },
        own: { '(none)': 'Keine Kampagne', '(other)': 'Andere Kampagnen' },
      },
      entryPages: {
        title: 'Was wirkt, nach Einstiegsseite',
        by: 'Nach Einstiegsseite',
        heading: 'Einstiegsseite',
        more: { one: 'und {count} weitere Einstiegsseite', other: 'und {count} weitere Einstiegsseiten' },
        own: { unknown: 'Unbekannt', '(other)': 'Andere Seiten' },
      },
      devices: {
        title: 'Was wirkt, nach Gerät',
        by: 'Nach Gerät',
        heading: 'Gerät',
        more: { one: 'und {count} weiteres Gerät', other: 'und {count} weitere Geräte' },
        own: { phone: 'Telefon', tablet: 'Tablet', desktop: 'Computer', other: 'Anderes' },
      },
    },

    lists: {
      forms: {
        title: 'Anfragen nach Formular',
        heading: 'Formular',
        more: { one: 'und {count} weiteres Formular', other: 'und {count} weitere Formulare' },
        empty: 'Es wurde kein Formular gesendet.',
        gone: '{id} (gibt es nicht mehr)',
        repeats: {
          one: '{count} Wiederholung einer Anfrage ist hier nicht mitgezählt.',
          other: '{count} Wiederholungen von Anfragen sind hier nicht mitgezählt.',
        },
      },
      pages: {
        title: 'Meistgesehene Seiten',
        heading: 'Seite',
        views: 'Aufrufe',
        more: { one: 'und {count} weitere Seite', other: 'und {count} weitere Seiten' },
        empty: 'Es wurde keine Landingpage aufgerufen.',
        elsewhere: {
          one: '{count} weiterer Seitenaufruf: auf anderen Websites mit dem Skript.',
          other: '{count} weitere Seitenaufrufe: auf anderen Websites mit dem Skript.',
        },
      },
      messages: {
        title: 'Klicks nach Nachricht',
        heading: 'Nachricht',
        human: 'Mensch',
        suspected: 'Verdächtig',
        machine: 'Maschine',
        more: { one: 'und {count} weitere Nachricht', other: 'und {count} weitere Nachrichten' },
        none: 'Links ohne Nachricht',
        hint: 'Auch Mailfilter folgen Links. Klicks, die sicher von ihnen stammen, stehen unter „Maschine“, mögliche unter „Verdächtig“.',
      },
    },

    goals: {
      title: 'Ziele',
      heading: 'Ziel',
      more: { one: 'und {count} weiteres Ziel', other: 'und {count} weitere Ziele' },
      visitsBefore: 'Besuche davor',
      ofAll: 'Von allen Besuchen',
      times: 'Wie oft',
      form: 'Formular {name}',
      event: 'Ereignis {name}',
      since: '{name} wird seit dem {date} gezählt; der Anteil bezieht sich auf die Besuche seither.',
    },
    funnels: {
      title: 'Trichter',
      step: 'Schritt',
      more: { one: 'und {count} weiterer Schritt', other: 'und {count} weitere Schritte' },
      ofFirst: 'Vom ersten',
      nobody: 'Kein Besuch hat den ersten Schritt erreicht.',
      reached: '{percent} der Besuche, die den ersten Schritt erreicht haben, haben auch den letzten erreicht.',
    },
    splits: {
      title: 'Fassungen von Seiten',
      titleOf: 'Fassungen von {page}',
      version: 'Fassung',
      more: { one: 'und {count} weitere Fassung', other: 'und {count} weitere Fassungen' },
      itself: '{name} (die Seite selbst)',
      range: 'Konversion, mit ihrem 95-%-Bereich',
      fromTo: '{low} bis {high}',
      verdict: 'Ergebnis: {verdict}.',
      noDifference: 'noch kein Unterschied',
      better: '{name} ist besser {than}',
      betterThanSome: '{name} ist besser {than}; noch kein Unterschied zu {names}',
      than: 'als {name} (von 100 Besuchen bringen {low} bis {high} mehr eine Anfrage)',
    },

    missing: {
      title: 'Gesucht und nicht gefunden',
      address: 'Adresse',
      times: 'Wie oft',
      advice:
        'Unter diesen Adressen gibt es nichts. Wenn ein alter Link dorthin führt, könnte eine Weiterleitung seine Besucher weiterführen.',
    },

    keptOut: {
      title: 'Was nicht durchgelassen wurde',
      nothing: 'Nichts Nennenswertes.',
      inQuarantine: 'In Quarantäne.',
      quarantine: {
        one: '{count} Einsendung sah nach einem Bot aus und wurde beiseitegelegt. Ist sie echt, kann sie freigegeben werden und zählt dann als Anfrage.',
        other:
          '{count} Einsendungen sahen nach Bots aus und wurden beiseitegelegt. Ist eine davon echt, kann sie freigegeben werden und zählt dann als Anfrage.',
      },
      times: { one: '{what}: {count}-mal.', other: '{what}: {count}-mal.' },
      reasons: {
        unreadable: {
          what: 'Etwas hat unlesbare Daten gesendet',
          advice:
            'Sehr wahrscheinlich ist es ein Programm und kein Besucher: Wenn es Ihres ist, lassen Sie es berichtigen.',
        },
        tooMuchAsked: {
          what: 'Eine Adresse hat in kurzer Zeit sehr viel gesendet',
          advice: 'Meist ist das ein Roboter; war es ein Büro voller Besucher, lassen Sie die Grenze anheben.',
        },
        tooMuchDownloaded: {
          what: 'Es wurde zu viel auf einmal heruntergeladen',
          advice: 'Große Dateien sind anderswo vielleicht besser aufgehoben.',
        },
        origin: {
          what: 'Eine Website, die nicht auf der Liste steht, hat Formulare oder Ereignisse gesendet',
          advice: 'Wenn es Ihre ist, lassen Sie sie zu den erlaubten Websites hinzufügen.',
        },
        trackingKey: {
          what: 'Ereignisse kamen ohne den richtigen Tracking-Schlüssel',
          advice: 'Das Skript auf der Website braucht den aktuellen Schlüssel.',
        },
        form: {
          what: 'Eine Seite hat ein Formular gesendet, das es hier nicht gibt',
          advice:
            'Sie nennt ein altes oder falsch geschriebenes Formular: Lassen Sie dessen Kennung auf der Seite berichtigen.',
        },
        size: {
          what: 'Ein Formular war länger als erlaubt',
          advice: 'Lassen Sie die Grenze anheben, oder fragen Sie im Formular nach weniger Text.',
        },
        fileSize: {
          what: 'Eine Datei zu einem Formular war größer als erlaubt',
          advice: 'Lassen Sie die Grenze anheben, wenn Sie solche Dateien möchten.',
        },
        fileType: {
          what: 'Eine Datei zu einem Formular war von einem Typ, der nicht erlaubt ist',
          advice: 'Lassen Sie den Typ zulassen, wenn Sie solche Dateien möchten.',
        },
        fileField: {
          what: 'Eine Seite hat eine Datei zu einem Formular gesendet, das dort keine annimmt',
          advice:
            'Die Seite und die Einstellungen des Formulars nennen verschiedene Felder: Lassen Sie beide vergleichen.',
        },
        uploadRoom: {
          what: 'Für Dateien zu einem Formular war kein Platz',
          advice: 'Lassen Sie die Grenze anheben oder alte Einsendungen entfernen.',
        },
        scanner: {
          what: 'Dateien zu einem Formular konnten nicht auf Schadsoftware geprüft werden',
          advice: 'Wer den Dienst betreibt, sollte sich dessen Virenscanner ansehen.',
        },
        storage: {
          what: 'Etwas konnte nicht gespeichert werden',
          advice: 'Wer den Dienst betreibt, sollte sich dessen Festplatte ansehen.',
        },
        noScript: {
          what: 'Ein Formular wurde ohne sein Skript gesendet',
          advice:
            'Prüfen Sie, ob das Skript auf der Seite steht und geladen wird; eine Kontaktadresse hilft Besuchern, die es ausgeschaltet haben.',
        },
      },
    },
  },
}
