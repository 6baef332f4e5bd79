import type { Texts } from './en.ts'

export const de: Texts = {
  client: {
    accepted: 'Vielen Dank, Ihre Angaben wurden gesendet.',
    unavailable: 'Das Senden ist leider fehlgeschlagen. Bitte versuchen Sie es erneut.',
    too_long: 'Nicht gesendet: Der Text hat {length} Zeichen, möglich sind etwa {max}. Bitte kürzen Sie ihn.',
    files:
      'Nicht gesendet: Mit diesem Formular lassen sich keine Dateien übermitteln. Senden Sie es erneut, um es ohne Dateien abzuschicken.',
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
    test: 'Dies ist ein Test und stammt von keinem Besucher.',
    released:
      'Diese Nachricht wurde zurückgehalten, weil sie automatisch erzeugt schien, und dann von Hand freigegeben.',
    backfilled: 'Diese Nachricht ging ein, bevor diese Zustellung eingerichtet war, und wird nachgereicht.',
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
      text: 'Dieses Formular benötigt JavaScript, das Ihr Browser hier nicht ausführt. Ihre Eingaben wurden weder gesendet noch gespeichert. Bitte gehen Sie zurück, aktivieren Sie JavaScript für diese Website und senden Sie das Formular erneut.',
      orContact: 'Oder nehmen Sie direkt Kontakt auf:',
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
      title: 'Dieser Vorschaulink funktioniert nicht',
      text: 'Er wurde verändert, zurückgezogen oder nicht vollständig kopiert. Bitte lassen Sie ihn sich noch einmal schicken.',
    },
    previewExpired: {
      title: 'Diese Vorschau ist abgelaufen',
      text: 'Der Link war richtig und galt bis {until}. Bitte lassen Sie sich einen neuen schicken.',
    },
    previewForgotten: {
      title: 'Diese Version ist nicht mehr vorhanden',
      text: 'Der Link zeigt Version {version}, die inzwischen durch neuere ersetzt wurde. Bitte lassen Sie sich einen Link zu einer neueren schicken.',
    },
    busy: {
      title: 'Gleich wieder da',
      text: 'Diese Website ist gerade ausgelastet. Bitte versuchen Sie es in einigen Sekunden erneut.',
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
      title: 'Dieser Bericht ist nicht verfügbar',
      text: 'Der Link ist abgelaufen, wurde zurückgezogen oder nicht vollständig kopiert. Bitte lassen Sie sich einen neuen schicken.',
    },
  },

  console: {
    skip: 'Zum Inhalt',
    menu: 'Menü',
    signOut: 'Abmelden',
    signIn: 'Ihr Zugang',
    help: 'Hilfe',
    accounts: 'Konten',
    allAccounts: 'Alle Konten ({count})',
    switchAccount: 'Konto wechseln',
    onOneServer:
      'Die letzten Änderungen sind auf einem Server gespeichert, aber noch nicht auf den anderen. Fiele er jetzt aus, gingen sie verloren.',
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
      custom: 'Eigene Tage',
      from: 'Von',
      to: 'bis',
      show: 'Anzeigen',
      noDays: 'Wählen Sie einen ersten und einen letzten Tag. Der Bericht zeigt die letzten 30 Tage.',
      reversed: 'Der letzte Tag liegt vor dem ersten. Der Bericht zeigt die letzten 30 Tage.',
      future: 'Diese Tage liegen in der Zukunft. Der Bericht zeigt die letzten 30 Tage.',
    },
    emptyReport: {
      text: 'Hier erscheinen Zahlen kurz nach dem ersten Besuch. Wenn es schon Besuche gab, sagen Sie es Ihrer Agentur.',
      open: '{page} öffnen',
    },
    masked: 'Namen, Kontaktdaten und lange Texte sind verborgen. Fragen Sie Ihre Agentur danach.',
    noLeads: 'Noch keine Anfragen. Neue Anfragen erscheinen hier automatisch.',
    newLead: 'Neue Anfrage',
    live: 'Live',
    notLive: 'Nicht live: keine Verbindung. Neue Anfragen erscheinen, sobald sie wieder besteht.',
    older: 'Ältere',
    lead: {
      cameFrom: 'Herkunft',
      download: 'Im damaligen Stand herunterladen',
      all: 'Alle Anfragen',
      newer: 'Neuere',
      older: 'Ältere',
      nothing: 'Es wurde kein Feld ausgefüllt.',
      call: 'Anrufen',
      write: 'E-Mail schreiben',
      files: 'Dateien',
      filesHidden: {
        one: '{count} Datei. Ihre Agentur kann sie öffnen.',
        other: '{count} Dateien. Ihre Agentur kann sie öffnen.',
      },
      filesHint: 'Gesendet von einem Besucher. Seien Sie beim Öffnen so vorsichtig wie bei Anhängen von Unbekannten.',
      yes: 'ja',
      no: 'nein',
      hidden: 'Verborgen. Fragen Sie Ihre Agentur danach.',
    },
    signingIn: {
      title: 'Anmelden',
      address: 'E-Mail-Adresse',
      codeHint:
        'Aus Ihrer Authenticator-App, oder einer Ihrer Wiederherstellungscodes. Ohne Passwort genügt ein Wiederherstellungscode.',
      cannot: 'Anmelden geht nicht? Wer Sie eingeladen hat, hilft weiter.',
      wrong: 'Adresse, Passwort oder Code ist falsch. Jeder Code gilt nur einmal.',
    },
    script: {
      offline:
        'Sie sind offline. Es wurde nichts gesendet und nichts ging verloren: Senden Sie erneut, sobald Sie wieder verbunden sind.',
      retyped:
        'Es ist noch nichts geschehen. Ihre Eingaben stehen wieder hier: Prüfen Sie alles, und senden Sie es noch einmal.',
      passkeyFailed: 'Das hat nicht geklappt. Versuchen Sie es noch einmal, oder verwenden Sie Ihr Passwort.',
      selected: 'Markiert: bitte selbst kopieren',
    },
    messages: {
      nothingHere: {
        title: 'Hier ist nichts',
        text: 'Der Inhalt wurde entfernt, die Adresse stimmt nicht, oder Sie dürfen ihn nicht öffnen.',
      },
      signedOut: {
        title: 'Abgemeldet',
        text: 'Ihre Sitzung ist beendet. Melden Sie sich an, und versuchen Sie es noch einmal.',
      },
      notAllowed: {
        title: 'Keine Berechtigung',
        text: 'Wenn Sie das brauchen, wenden Sie sich an jemanden, der es darf.',
      },
      notForClients: {
        title: 'Sie können diese Seite nicht öffnen',
        text: 'Wenn Sie das brauchen, wenden Sie sich an Ihre Agentur.',
      },
      heldBack: {
        title: 'Zurückgehalten',
        text: 'Das schien von einem Bot zu kommen oder wurde von Hand abgelehnt und zählt daher nicht als Anfrage. Ihre Agentur kann es freigeben.',
      },
      crossSite: {
        title: 'Nicht zugelassen',
        text: 'Eine andere Website hat dieses Formular gesendet. Öffnen Sie diese Seite selbst, und versuchen Sie es noch einmal.',
      },
      failed: {
        title: 'Das hat nicht geklappt',
        text: 'Die Seite kann gerade nicht gezeigt werden. Versuchen Sie es noch einmal. Wenn es wieder nicht klappt, sagen Sie es bitte Ihrer Agentur.',
      },
      busy: {
        title: 'Zu viele Versuche',
        text: 'Warten Sie einige Minuten, und versuchen Sie es dann erneut. Mit einem Passkey können Sie sich trotzdem anmelden.',
      },
      gone: {
        title: 'Dieser Link ist nicht mehr gültig',
        text: 'Eine Einladung gilt nur einmal und 24 Stunden lang, solange das Konto besteht. Bitten Sie um eine neue.',
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
    toConsole: 'Capture öffnen',
    backTo: 'Zurück zu „{page}“',
    entry: {
      title: 'Willkommen',
      invited: 'Sie wurden als {email} eingeladen.',
      invitedBy: 'Eingeladen von {by}.',
      access: 'Zugang: {access}.',
      accept: 'Annehmen',
      setPassword: 'Passwort festlegen und anmelden',
      passkey: 'Mit einem Passkey',
      passkeyText:
        'Sie melden sich mit Fingerabdruck, Gesicht oder Bildschirmsperre an und müssen sich kein Passwort merken.',
      createPasskey: 'Passkey erstellen',
      orPassword: 'Oder mit einem Passwort',
      password: 'Passwort',
      passwordHint: 'Mindestens {count} Zeichen. Vier zufällige Wörter ergeben ein gutes Passwort.',
      repeat: 'Passwort wiederholen',
      app: 'Authenticator-App',
      scan: 'Öffnen oder scannen Sie diesen Schlüssel mit einer App wie Aegis, 1Password oder Google Authenticator, und geben Sie dann den Code aus der App ein.',
      picture: 'Der Schlüssel für die App als QR-Code; darunter steht er als Text',
      openApp: 'In einer App auf diesem Gerät öffnen',
      scanElsewhere: 'Mit einem anderen Gerät scannen',
      orKey: 'Oder geben Sie den Schlüssel ein:',
      code: 'Code aus der App',
      codesTitle: 'Bewahren Sie diese Codes auf',
      codes: 'Wiederherstellungscodes',
      codesForApp: 'Mit jedem Code können Sie sich einmal ohne die App anmelden.',
      codesForPasskey:
        'Mit jedem Code können Sie sich einmal ohne den Passkey anmelden: Geben Sie Ihre Adresse und den Code ein, aber kein Passwort.',
      shownOnce:
        'Die Codes werden nur einmal angezeigt: Drucken Sie sie aus, oder speichern Sie sie in Ihrem Passwortmanager.',
      saved: 'Ich habe sie gespeichert',
      copy: 'Kopieren',
      copied: 'Kopiert',
      download: 'Herunterladen',
      print: 'Drucken',
      passwordsDiffer: 'Die beiden Passwörter stimmen nicht überein.',
      wrongCode:
        'Das ist nicht der Code, den die App gerade zeigt. Prüfen Sie, ob die Uhr Ihres Telefons richtig geht.',
      wrongPasskey: 'Der Passkey wurde nicht angenommen. Erstellen Sie ihn noch einmal, oder wählen Sie ein Passwort.',
      newAccess: 'Neuer Zugang: {access}. Sie melden sich an wie bisher.',
      signInFirst:
        'Sie haben sich hier schon einmal angemeldet. Melden Sie sich als {email} an, um die Einladung anzunehmen.',
      passwordFaults: {
        short: 'Verwenden Sie mindestens {count} Zeichen: Vier zufällige Wörter sind besser als ein Wort mit Ziffern.',
        long: 'Verwenden Sie höchstens {count} Zeichen.',
        poor: 'Verwenden Sie mehr unterschiedliche Zeichen.',
        address: 'Verwenden Sie Ihre Adresse nicht im Passwort.',
        common:
          'Viele verwenden dieses Passwort, deshalb wird es zuerst ausprobiert. Vier zufällige Wörter sind besser.',
        names:
          'Bilden Sie das Passwort nicht aus Namen von Konten, Websites oder Capture: Solche Namen werden zuerst ausprobiert.',
      },
    },
    me: {
      secrets: 'Passwort und Codes',
      passwordSet: 'Festgelegt',
      appOn: 'Eingerichtet',
      notSet: 'Nicht eingerichtet',
      changePassword: 'Passwort ändern',
      otherApp: 'Andere App verwenden',
      left: { one: 'noch {count}', other: 'noch {count}' },
      newCodes: 'Neue erzeugen',
      passkeys: 'Passkeys',
      aboutPasskeys:
        'Ein Passkey meldet Sie mit Fingerabdruck, Gesicht oder Bildschirmsperre an, ohne Passwort oder Code.',
      passkeysAt: 'Passkeys funktionieren nur unter {host}.',
      noPasskeysHere: 'Unter dieser Adresse lassen sich keine Passkeys verwenden.',
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
      thisBrowser: 'Dieser Browser',
      from: 'IP-Adresse',
      end: 'Beenden',
      now: 'jetzt',
      sessionEnded: 'Die Sitzung wurde beendet.',
      othersEnded: 'Alle anderen Sitzungen wurden beendet.',
      passkeyRemoved: 'Der Passkey wurde entfernt, und alle anderen Sitzungen wurden beendet.',
      passkeyAdded: 'Der Passkey wurde hinzugefügt.',
      onlyPasskey:
        'Sie melden sich nur mit diesem Passkey an. Fügen Sie erst einen weiteren hinzu, oder richten Sie Passwort und App ein.',
      currentPassword: 'Aktuelles Passwort',
      wrongCurrent: 'Das aktuelle Passwort ist falsch.',
      forgot: 'Wenn Sie es vergessen haben, bestätigen Sie Ihre Identität mit einem Passkey',
      newPasswordField: 'Neues Passwort',
      repeatNew: 'Neues Passwort wiederholen',
      changeIt: 'Passwort ändern',
      othersEnd: 'Ihre anderen Sitzungen werden beendet.',
      passwordChanged: 'Das Passwort wurde geändert, und alle anderen Sitzungen wurden beendet.',
      newApp: 'Neue Authenticator-App',
      useApp: 'Diese App verwenden',
      appEnds: 'Ihre bisherige App funktioniert dann nicht mehr, und Ihre anderen Sitzungen werden beendet.',
      appChanged: 'Ihre Codes kommen nun aus der neuen App. Alle anderen Sitzungen wurden beendet.',
      codesLeft: 'Verbleibende Codes: {count} von {made}.',
      codesEnd: 'Neue Codes ersetzen sie alle.',
      makeCodes: 'Neue Codes erzeugen',
      confirm: 'Identität bestätigen',
      confirmText: 'Sie haben sich vor einer Weile als {email} angemeldet.',
      confirmCancel: 'Abbrechen',
      confirmCode: 'Code',
      confirmIt: 'Bestätigen',
      usePasskey: 'Passkey verwenden',
      wrongProof: 'Passwort oder Code ist falsch. Jeder Code gilt nur einmal.',
      tooMany: 'Zu viele Versuche. Warten Sie einige Minuten, und versuchen Sie es dann erneut.',
      sendAgain:
        'Sie haben Ihre Identität bestätigt. Es ist noch nichts geschehen: Prüfen Sie Ihre Eingaben, und senden Sie sie noch einmal.',
    },
  },

  confirm: {
    button: 'Bestätigen',
    mail: {
      asks: 'Bitte öffnen Sie zum Bestätigen diesen Link und klicken Sie auf die Schaltfläche:',
      lasts: 'Der Link ist {days} Tage lang gültig.',
      ignore: 'Wenn Sie dieses Formular nicht gesendet haben, können Sie diese E-Mail ignorieren.',
    },
    question: {
      title: 'Bitte bestätigen',
      text: 'Klicken Sie auf die Schaltfläche, um Ihre Angaben auf dieser Website zu bestätigen.',
      unkept:
        'Ihre Bestätigung konnte gerade nicht gespeichert werden. Bitte klicken Sie gleich noch einmal auf die Schaltfläche.',
    },
    done: {
      title: 'Vielen Dank',
      text: 'Ihre Bestätigung ist eingegangen.',
    },
    ended: {
      title: 'Dieser Link ist nicht mehr gültig',
      text: 'Er ist abgelaufen, oder Ihre Angaben sind nicht mehr gespeichert. Bitte füllen Sie das Formular erneut aus, um einen neuen Link zu erhalten.',
    },
  },

  reply: {
    unsubscribe: 'Abmelden',
    question: {
      title: 'Keine E-Mails mehr?',
      text: 'Wenn Sie auf die Schaltfläche klicken, sendet diese Website keine automatischen Antworten mehr an Ihre Adresse.',
      button: 'Abmelden',
      unkept:
        'Ihre Abmeldung konnte gerade nicht gespeichert werden. Bitte klicken Sie gleich noch einmal auf die Schaltfläche.',
    },
    done: {
      title: 'Erledigt',
      text: 'Sie erhalten keine automatischen Antworten mehr von dieser Website.',
    },
  },

  report: {
    example: 'Dies ist ein Beispiel, gesendet zum Testen dieses Empfängers.',
    exampleMark: '[Beispiel]',
    subject: '{account}: {title}, {leads}',
    dates: '{dates} · Zeitzone {zone}',
    zone: 'Zeitzone {zone}',
    madeOn: 'Erstellt am {date}.',
    words:
      'Ein Besuch umfasst alles, was ein Browser bis zu einer halbstündigen Pause tut; jede Seite, die er dabei öffnet, ist ein Seitenaufruf. Ein Besucher ist ein Browser, der sein Cookie behält. Eine Anfrage ist ein Formular, das gesendet und angenommen wurde; Wiederholungen zählen nicht. Die Konversion ist die Zahl der Anfragen je hundert Besuche. Bots, die sich zu erkennen geben, zählen nicht.',
    wordsInShort:
      'Die Konversion ist die Zahl der Anfragen je hundert Besuche; Bots, die sich zu erkennen geben, zählen nicht.',
    week: 'KW {week}',
    weekOfYear: 'Kalenderwoche {week}/{year}',

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
      week: 'in der Vorwoche',
      day: 'am Vortag',
      days: { one: 'am Vortag ({count})', other: 'in den {count} Tagen davor' },
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
      bestSource: 'Beste Quelle: {name} mit {leads}.',
      bestCampaign: 'Beste Kampagne: {name} mit {leads}.',
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
      noVisits: 'Es gab keine Besuche.',
      withoutVisit: {
        one: '{count} Anfrage kam ohne bekannten Besuch.',
        other: '{count} Anfragen kamen ohne bekannten Besuch.',
      },
      moreThanVisits: 'Es gab mehr Anfragen als Besuche.',
    },

    notes: {
      unfinished: 'Der {date} ist noch nicht zu Ende.',
      comparedWith: 'Diese Zahlen werden mit denen {when} verglichen; vom letzten Tag zählen nur dieselben Stunden.',
      nothingYet: 'Bisher wurde noch nichts gezählt.',
      beganLater: 'Gezählt wird erst ab dem {date}.',
      began: 'Gezählt seit dem {date}.',
      noEarlier: 'Gezählt seit dem {date}: Ein vollständiger früherer Zeitraum zum Vergleich fehlt.',
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
      byDay: '{figure} pro Tag',
      byWeek: '{figure} pro Woche',
      byMonth: '{figure} pro Monat',
      highest: '{sum} insgesamt, Höchstwert: {label} ({most}).',
      grey: 'Graue Linie: {when}.',
      line: '(Linie: {when})',
      paleParts: 'Blass: noch nicht zu Ende oder nur teilweise gezeigt.',
      part: 'Teil',
      figuresByDay: 'Zahlen pro Tag',
      upTo: 'bis {count}',
      tableByDay: 'Als Tabelle, pro Tag',
      tableByWeek: 'Als Tabelle, pro Woche',
      tableByMonth: 'Als Tabelle, pro Monat',
      day: 'Tag',
      week: 'Woche ab',
      month: 'Monat',
      before: '{figure} {when}',
    },

    channels: {
      title: 'Was wirkt',
      untold: 'Woher diese Anfragen kamen, lässt sich noch nicht sagen. Ihre Agentur kann das einrichten.',
      inBrackets: 'In Klammern: Anfragen je hundert Besuche.',
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
        own: { '(none)': 'Keine Kampagne', '(unknown)': 'Unbekannt', '(other)': 'Andere Kampagnen' },
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
        own: { phone: 'Smartphone', tablet: 'Tablet', desktop: 'Computer', other: 'Anderes' },
      },
    },

    lists: {
      forms: {
        title: 'Anfragen nach Formular',
        heading: 'Formular',
        more: { one: 'und {count} weiteres Formular', other: 'und {count} weitere Formulare' },
        empty: 'Es wurde kein Formular gesendet.',
        gone: '{id} (nicht mehr vorhanden)',
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
        human: 'Menschen',
        suspected: 'Verdächtig',
        machine: 'Maschinen',
        more: { one: 'und {count} weitere Nachricht', other: 'und {count} weitere Nachrichten' },
        none: 'Links ohne Nachricht',
        hint: 'Auch E-Mail-Filter rufen Links auf. Klicks, die sicher von ihnen stammen, stehen unter „Maschinen“, mögliche unter „Verdächtig“.',
      },
    },

    goals: {
      title: 'Ziele',
      heading: 'Ziel',
      more: { one: 'und {count} weiteres Ziel', other: 'und {count} weitere Ziele' },
      visitsBefore: 'Besuche davor',
      ofAll: 'Von allen Besuchen',
      times: 'Anzahl',
      form: 'Formular {name}',
      event: 'Ereignis {name}',
      since: '{name} wird seit dem {date} gezählt; der Anteil bezieht sich auf die Besuche seither.',
    },
    funnels: {
      title: 'Trichter',
      step: 'Schritt',
      more: { one: 'und {count} weiterer Schritt', other: 'und {count} weitere Schritte' },
      ofFirst: 'Von Schritt\u00a01',
      nobody: 'Kein Besuch hat den ersten Schritt erreicht.',
      reached: '{percent} der Besuche, die den ersten Schritt erreicht haben, haben auch den letzten erreicht.',
    },
    splits: {
      title: 'Varianten von Seiten',
      titleOf: 'Varianten von {page}',
      version: 'Variante',
      more: { one: 'und {count} weitere Variante', other: 'und {count} weitere Varianten' },
      itself: '{name} (Original)',
      fromTo: '{low} bis {high}',
      verdict: 'Ergebnis: {verdict}.',
      noDifference: 'noch kein Unterschied',
      tooEarly: 'noch zu früh',
      tooFew: 'Variante {versions}. Zu wenige für einen Vergleich.',
      seen: '{name}: {visits}',
      better: '{name} ist besser {than}',
      betterThanSome: '{name} ist besser {than}; noch kein Unterschied zu {names}',
      than: 'als {name} (von 100 Besuchen bringen {low} bis {high} mehr eine Anfrage)',
    },

    missing: {
      title: 'Aufgerufen und nicht gefunden',
      address: 'Adresse',
      times: 'Anzahl',
      advice:
        'Unter diesen Adressen gibt es nichts. Wenn ein alter Link dorthin führt, bringt eine Weiterleitung seine Besucher ans Ziel.',
    },

    keptOut: {
      title: 'Was abgewiesen wurde',
      inQuarantine: {
        one: '{count} Nachricht wird zurückgehalten.',
        other: '{count} Nachrichten werden zurückgehalten.',
      },
      look: 'Quarantäne ansehen',
      quarantine:
        'Was von einem Bot zu stammen scheint oder von Ihrer Agentur aussortiert wurde, zählt nicht als Anfrage. Wenn Ihnen eine fehlt, fragen Sie Ihre Agentur.',
      times: { one: '{what}: {count}-mal.', other: '{what}: {count}-mal.' },
      reasons: {
        unreadable: {
          what: 'Es kamen Daten an, die nicht lesbar waren',
          advice:
            'Sehr wahrscheinlich stammen sie von einem Programm, nicht von einem Besucher: Wenn es Ihres ist, lassen Sie es korrigieren.',
        },
        tooMuchAsked: {
          what: 'Eine Adresse hat in kurzer Zeit sehr viel gesendet',
          advice: 'Meist ist das ein Bot; war es ein Büro voller Besucher, lassen Sie das Limit erhöhen.',
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
            'Sie nennt ein altes oder falsch geschriebenes Formular: Lassen Sie dessen ID auf der Seite korrigieren.',
        },
        size: {
          what: 'Ein Formular war länger als erlaubt',
          advice: 'Lassen Sie das Limit erhöhen, oder fragen Sie im Formular nach weniger Text.',
        },
        fileSize: {
          what: 'Eine Datei zu einem Formular war größer als erlaubt',
          advice: 'Lassen Sie das Limit erhöhen, wenn Sie solche Dateien möchten.',
        },
        fileType: {
          what: 'Eine Datei zu einem Formular hatte einen nicht erlaubten Typ',
          advice: 'Lassen Sie den Typ freigeben, wenn Sie solche Dateien möchten.',
        },
        fileField: {
          what: 'Eine Seite hat eine Datei zu einem Formular gesendet, das dort keine annimmt',
          advice:
            'Die Seite und die Einstellungen des Formulars nennen verschiedene Felder: Lassen Sie beide vergleichen.',
        },
        uploadRoom: {
          what: 'Für Dateien zu einem Formular war kein Platz',
          advice: 'Lassen Sie das Limit erhöhen oder alte Einsendungen entfernen.',
        },
        scanner: {
          what: 'Dateien zu einem Formular konnten nicht auf Schadsoftware geprüft werden',
          advice: 'Wer den Dienst betreibt, sollte dessen Virenscanner prüfen.',
        },
        storage: {
          what: 'Etwas konnte nicht gespeichert werden',
          advice: 'Wer den Dienst betreibt, sollte dessen Datenträger prüfen.',
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
