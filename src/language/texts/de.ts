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

  leadMail: {},

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
      comparedWith: 'Verglichen werden sie mit den Zahlen {when}.',
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
      behind: 'Dahinter: {when}.',
      grey: 'Grau: {when}.',
      pale: '(blass: {when})',
      upTo: 'bis {count}',
      tableByDay: 'In Zahlen, pro Tag',
      tableByWeek: 'In Zahlen, pro Woche',
      tableByMonth: 'In Zahlen, pro Monat',
      day: 'Tag',
      week: 'Woche ab',
      month: 'Monat',
      before: '{figure} {when}',
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
      sources: {
        title: 'Anfragen nach Quelle',
        heading: 'Quelle',
        more: { one: 'und {count} weitere Quelle', other: 'und {count} weitere Quellen' },
        empty: 'Keine Anfragen.',
        direct: 'Direkt',
        unknown: 'Unbekannt',
        others: 'Andere Quellen',
      },
      campaigns: {
        title: 'Anfragen nach Kampagne',
        heading: 'Kampagne',
        more: { one: 'und {count} weitere Kampagne', other: 'und {count} weitere Kampagnen' },
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
