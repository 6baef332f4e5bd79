import type { Texts } from './en.ts'

export const pl: Texts = {
  client: {
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

  leadMail: {},

  smallPages: {
    home: 'Strona główna',
    contact: 'Kontakt:',
    nowhere: {
      title: 'Tu nic nie ma',
      text: 'Pod tym adresem nie ma żadnej strony. Prosimy sprawdzić użyty link.',
    },
    notSent: {
      title: 'Nic nie zostało wysłane',
      text: 'Ten formularz wymaga JavaScriptu, którego przeglądarka tutaj nie uruchamia. Nic z wpisanych danych nie zostało wysłane ani zapisane. Prosimy wrócić, włączyć JavaScript dla tej witryny i wysłać formularz ponownie.',
      orContact: 'Można też skontaktować się bezpośrednio:',
    },
    linkBroken: {
      title: 'Ten link nie działa',
      text: 'Być może został po drodze ucięty. Prosimy skopiować go z wiadomości w całości.',
    },
    linkElsewhere: {
      title: 'Ten link prowadzi gdzie indziej',
      text: 'Wskazuje adres, pod który ta witryna nie przekierowuje, więc kończy się tutaj.',
    },
    linkOneMoreStep: {
      title: 'Jeszcze jeden krok',
      text: 'Nie udało się teraz przekierować automatycznie. Prosimy skorzystać z tego linku:',
    },
    previewWrong: {
      title: 'Ten link do podglądu nie działa',
      text: 'Nie został skopiowany w całości, został zmieniony albo wycofany. Prosimy poprosić nadawcę o ponowne przesłanie.',
    },
    previewExpired: {
      title: 'Ten podgląd wygasł',
      text: 'Link był prawidłowy i działał do: {until}. Prosimy poprosić nadawcę o nowy.',
    },
    previewForgotten: {
      title: 'Ta wersja nie jest już przechowywana',
      text: 'Link pokazuje wersję {version}, którą zastąpiły nowsze. Prosimy poprosić nadawcę o link do późniejszej.',
    },
    busy: {
      title: 'Zaraz wracamy',
      text: 'Ta witryna obsługuje w tej chwili tylu odwiedzających, ilu może. Prosimy spróbować ponownie za kilka sekund.',
    },
    pageLost: {
      title: 'Zaraz wracamy',
      text: 'Tej strony nie można teraz wyświetlić.',
    },
    tooManyDownloads: {
      title: 'Zbyt wiele pobrań naraz',
      text: 'Prosimy poczekać, aż jedno z pobrań się zakończy, i ponownie otworzyć ten adres.',
    },
    reportGone: {
      title: 'Nie ma takiego raportu',
      text: 'Link wygasł, został wycofany albo nie został skopiowany w całości. Prosimy poprosić nadawcę o nowy.',
    },
  },

  confirm: {
    button: 'Potwierdź',
    mail: {
      asks: 'Aby potwierdzić, proszę otworzyć ten link i nacisnąć przycisk:',
      lasts: 'Link jest ważny przez {days} dni.',
      ignore: 'Jeśli ten formularz nie został wysłany przez Państwa, proszę zignorować tę wiadomość.',
    },
    question: {
      title: 'Prosimy o potwierdzenie',
      text: 'Proszę nacisnąć przycisk, aby potwierdzić to, co wysłano do tej witryny.',
      unkept: 'Nie udało się teraz zapisać potwierdzenia. Proszę za chwilę ponownie nacisnąć przycisk.',
    },
    done: {
      title: 'Dziękujemy',
      text: 'Potwierdzenie dotarło.',
    },
    ended: {
      title: 'Ten link już nie działa',
      text: 'Jest zbyt stary albo dane, których dotyczył, nie są już przechowywane. Aby otrzymać nowy link, proszę ponownie wypełnić formularz.',
    },
  },

  reply: {
    unsubscribe: 'Rezygnacja z wiadomości',
    question: {
      title: 'Bez kolejnych e-maili?',
      text: 'Po naciśnięciu przycisku ta witryna nie będzie już wysyłać automatycznych odpowiedzi na podany adres.',
      button: 'Rezygnuję z wiadomości',
      unkept: 'Nie udało się teraz tego zapisać. Prosimy za chwilę ponownie nacisnąć przycisk.',
    },
    done: {
      title: 'Gotowe',
      text: 'Automatyczne odpowiedzi z tej witryny nie będą już wysyłane.',
    },
  },

  report: {
    example: 'To jest przykład, wysłany w celu sprawdzenia tego miejsca docelowego.',
    exampleMark: '[Przykład]',
    subject: '{account}: {title}, {leads}',
    dates: '{dates} · strefa czasowa {zone}',
    zone: 'Strefa czasowa {zone}',
    madeOn: 'Sporządzono {date}.',
    words:
      'Wizyta to wszystko, co robi jedna przeglądarka, dopóki nie zrobi półgodzinnej przerwy; odwiedzający to przeglądarka, która zachowuje swój plik cookie. Zgłoszenie to formularz wysłany i przyjęty, bez powtórzeń. Konwersja to liczba zgłoszeń na sto wizyt. Boty, które się przedstawiają, nie są liczone.',
    wordsInShort: 'Konwersja to liczba zgłoszeń na sto wizyt; boty, które się przedstawiają, nie są liczone.',
    week: 'Tydzień {week}',
    weekOfYear: 'Tydzień {week} roku {year}',

    when: {
      months: [
        'w styczniu',
        'w lutym',
        'w marcu',
        'w kwietniu',
        'w maju',
        'w czerwcu',
        'w lipcu',
        'w sierpniu',
        'we wrześniu',
        'w październiku',
        'w listopadzie',
        'w grudniu',
      ],
      week: 'w poprzednim tygodniu',
      day: 'poprzedniego dnia',
      days: {
        one: 'poprzedniego dnia ({count})',
        few: 'w poprzednich {count} dniach',
        many: 'w poprzednich {count} dniach',
        other: 'w poprzednich {count} dniach',
      },
      dates: 'w okresie {dates}',
      date: 'w dniu {date}',
    },

    change: {
      more: 'o {amount} więcej',
      fewer: 'o {amount} mniej',
      underPercent: 'mniej niż {percent}',
      same: 'bez zmian',
      noneInBoth: 'w obu okresach zero',
      noneBefore: 'wcześniej zero',
      noneNow: 'teraz zero',
      pointsMore: 'o {points} p.p. więcej',
      pointsLess: 'o {points} p.p. mniej',
      sameShare: 'bez zmian',
    },

    summary: {
      nothing: 'Brak wizyt i zgłoszeń.',
      plain: '{visits} i {leads}.',
      visitsCompared: '{visits} ({since}) i {leads}.',
      compared: '{visits} ({since}) i {leads} ({change}).',
      than: '{change} niż {when}',
      same: 'tyle samo co {when}',
      noneBefore: '{when} zero',
      noneInBoth: 'tak jak {when}',
      noneNow: '{when} {before}',
      noVisits: 'Brak wizyt',
      noLeads: 'brak zgłoszeń',
      bestSource: 'Najlepsze źródło: {source} ({leads}).',
      mostViewed: 'Najczęściej oglądana strona: {page} ({views}).',
    },

    counted: {
      visits: { one: '{count} wizyta', few: '{count} wizyty', many: '{count} wizyt', other: '{count} wizyty' },
      views: { one: '{count} odsłona', few: '{count} odsłony', many: '{count} odsłon', other: '{count} odsłony' },
      pageViews: { one: '{count} odsłona', few: '{count} odsłony', many: '{count} odsłon', other: '{count} odsłony' },
      leads: {
        one: '{count} zgłoszenie',
        few: '{count} zgłoszenia',
        many: '{count} zgłoszeń',
        other: '{count} zgłoszenia',
      },
      clicks: {
        one: '{count} kliknięcie człowieka',
        few: '{count} kliknięcia ludzi',
        many: '{count} kliknięć ludzi',
        other: '{count} kliknięcia ludzi',
      },
    },

    figures: {
      visitors: 'Odwiedzający',
      visits: 'Wizyty',
      views: 'Odsłony',
      leads: 'Zgłoszenia',
      conversion: 'Konwersja',
      clicks: 'Kliknięcia ludzi',
      noVisitors: 'Dane potrzebne do ich policzenia zostały usunięte.',
      noVisits: 'Nie było wizyt.',
      notFromVisits: 'Zgłoszenia pochodzą ze stron, których wizyty nie są tu liczone.',
    },

    notes: {
      unfinished: 'Te liczby obejmują dzień, który się jeszcze nie skończył: {date}.',
      comparedWith: 'Są porównywane z liczbami, które odnotowano {when}.',
      nothingYet: 'Niczego jeszcze nie policzono.',
      beganLater: 'Liczenie zaczęło się później: {date}.',
      began: 'Liczenie zaczęło się {date}. Dla wcześniejszych dni nie ma liczb.',
      noEarlier: 'Liczenie zaczęło się {date}, więc nie ma pełnego wcześniejszego okresu do porównania.',
      lost: {
        one: '{count} odsłona nie została zapisana i nie ma jej w żadnej liczbie.',
        few: '{count} odsłony nie zostały zapisane i nie ma ich w żadnej liczbie.',
        many: '{count} odsłon nie zostało zapisanych i nie ma ich w żadnej liczbie.',
        other: '{count} odsłony nie zostało zapisane i nie ma ich w żadnej liczbie.',
      },
      waiting: {
        one: '{count} rekord jest jeszcze przetwarzany i nie ma go w tych liczbach.',
        few: '{count} rekordy są jeszcze przetwarzane i nie ma ich w tych liczbach.',
        many: '{count} rekordów jest jeszcze przetwarzanych i nie ma ich w tych liczbach.',
        other: '{count} rekordu jest jeszcze przetwarzane i nie ma ich w tych liczbach.',
      },
    },

    series: {
      title: 'W czasie',
      byDay: '{figure} według dni',
      byWeek: '{figure} według tygodni',
      byMonth: '{figure} według miesięcy',
      highest: 'Razem {sum}, najwięcej: {label} ({most}).',
      behind: 'W tle: {when}.',
      grey: 'Na szaro: {when}.',
      pale: '(jaśniej: {when})',
      upTo: 'do {count}',
      tableByDay: 'W liczbach, według dni',
      tableByWeek: 'W liczbach, według tygodni',
      tableByMonth: 'W liczbach, według miesięcy',
      day: 'Dzień',
      week: 'Tydzień od',
      month: 'Miesiąc',
      before: '{figure} {when}',
    },

    lists: {
      forms: {
        title: 'Zgłoszenia według formularza',
        heading: 'Formularz',
        more: {
          one: 'i jeszcze {count} formularz',
          few: 'i jeszcze {count} formularze',
          many: 'i jeszcze {count} formularzy',
          other: 'i jeszcze {count} formularza',
        },
        empty: 'Nie wysłano żadnego formularza.',
        gone: '{id} (już nie istnieje)',
        repeats: {
          one: '{count} powtórzenie zgłoszenia nie jest tu liczone.',
          few: '{count} powtórzenia zgłoszeń nie są tu liczone.',
          many: '{count} powtórzeń zgłoszeń nie jest tu liczonych.',
          other: '{count} powtórzenia zgłoszeń nie są tu liczone.',
        },
      },
      sources: {
        title: 'Zgłoszenia według źródła',
        heading: 'Źródło',
        more: {
          one: 'i jeszcze {count} źródło',
          few: 'i jeszcze {count} źródła',
          many: 'i jeszcze {count} źródeł',
          other: 'i jeszcze {count} źródła',
        },
        empty: 'Brak zgłoszeń.',
        direct: 'Bezpośrednio',
        unknown: 'Nieznane',
        others: 'Inne źródła',
      },
      campaigns: {
        title: 'Zgłoszenia według kampanii',
        heading: 'Kampania',
        more: {
          one: 'i jeszcze {count} kampania',
          few: 'i jeszcze {count} kampanie',
          many: 'i jeszcze {count} kampanii',
          other: 'i jeszcze {count} kampanii',
        },
      },
      pages: {
        title: 'Najczęściej oglądane strony',
        heading: 'Strona',
        views: 'Odsłony',
        more: {
          one: 'i jeszcze {count} strona',
          few: 'i jeszcze {count} strony',
          many: 'i jeszcze {count} stron',
          other: 'i jeszcze {count} strony',
        },
        empty: 'Nie obejrzano żadnej strony docelowej.',
        elsewhere: {
          one: '{count} inna odsłona: w innych witrynach ze skryptem.',
          few: '{count} inne odsłony: w innych witrynach ze skryptem.',
          many: '{count} innych odsłon: w innych witrynach ze skryptem.',
          other: '{count} innej odsłony: w innych witrynach ze skryptem.',
        },
      },
      messages: {
        title: 'Kliknięcia według wiadomości',
        heading: 'Wiadomość',
        human: 'Ludzie',
        suspected: 'Podejrzane',
        machine: 'Maszyny',
        more: {
          one: 'i jeszcze {count} wiadomość',
          few: 'i jeszcze {count} wiadomości',
          many: 'i jeszcze {count} wiadomości',
          other: 'i jeszcze {count} wiadomości',
        },
        none: 'Linki bez wiadomości',
        hint: 'Filtry poczty też otwierają linki. Kliknięcia, które na pewno pochodzą od nich, są w kolumnie „Maszyny”, a możliwe – w kolumnie „Podejrzane”.',
      },
    },

    goals: {
      title: 'Cele',
      heading: 'Cel',
      more: {
        one: 'i jeszcze {count} cel',
        few: 'i jeszcze {count} cele',
        many: 'i jeszcze {count} celów',
        other: 'i jeszcze {count} celu',
      },
      visitsBefore: 'Wizyty wcześniej',
      ofAll: 'Ze wszystkich wizyt',
      times: 'Ile razy',
      form: 'Formularz {name}',
      event: 'Zdarzenie {name}',
      since: '{name}: liczone od {date}; udział dotyczy wizyt od tego dnia.',
    },
    funnels: {
      title: 'Lejki',
      step: 'Krok',
      more: {
        one: 'i jeszcze {count} krok',
        few: 'i jeszcze {count} kroki',
        many: 'i jeszcze {count} kroków',
        other: 'i jeszcze {count} kroku',
      },
      ofFirst: 'Z pierwszego',
      nobody: 'Żadna wizyta nie dotarła do pierwszego kroku.',
      reached: 'Z wizyt, które dotarły do pierwszego kroku, {percent} dotarło także do ostatniego.',
    },
    splits: {
      title: 'Wersje stron',
      titleOf: 'Wersje strony {page}',
      version: 'Wersja',
      more: {
        one: 'i jeszcze {count} wersja',
        few: 'i jeszcze {count} wersje',
        many: 'i jeszcze {count} wersji',
        other: 'i jeszcze {count} wersji',
      },
      itself: '{name} (sama strona)',
      range: 'Konwersja z 95-procentowym przedziałem',
      fromTo: '{low} do {high}',
      verdict: 'Wniosek: {verdict}.',
      noDifference: 'na razie bez różnicy',
      better: '{name} jest lepsza {than}',
      betterThanSome: '{name} jest lepsza {than}; na razie bez różnicy: {names}',
      than: 'niż {name} (na 100 wizyt od {low} do {high} więcej przynosi zgłoszenie)',
    },

    missing: {
      title: 'Szukane i nieznalezione',
      address: 'Adres',
      times: 'Ile razy',
      advice:
        'Pod tymi adresami nic nie ma. Jeśli prowadzi tam stary link, przekierowanie pokazałoby odwiedzającym dalszą drogę.',
    },

    keptOut: {
      title: 'Co zostało zatrzymane',
      nothing: 'Nic wartego wzmianki.',
      inQuarantine: 'W kwarantannie.',
      quarantine: {
        one: '{count} przesyłka wyglądała na wysłaną przez bota i została odłożona. Jeśli jest prawdziwa, można ją zwolnić, a wtedy liczy się jako zgłoszenie.',
        few: '{count} przesyłki wyglądały na wysłane przez boty i zostały odłożone. Jeśli któraś jest prawdziwa, można ją zwolnić, a wtedy liczy się jako zgłoszenie.',
        many: '{count} przesyłek wyglądało na wysłane przez boty i zostało odłożonych. Jeśli któraś jest prawdziwa, można ją zwolnić, a wtedy liczy się jako zgłoszenie.',
        other:
          '{count} przesyłki wyglądało na wysłane przez boty i zostało odłożone. Jeśli któraś jest prawdziwa, można ją zwolnić, a wtedy liczy się jako zgłoszenie.',
      },
      times: {
        one: '{what}: {count} raz.',
        few: '{what}: {count} razy.',
        many: '{what}: {count} razy.',
        other: '{what}: {count} razu.',
      },
      reasons: {
        unreadable: {
          what: 'Coś wysłało dane, których nie dało się odczytać',
          advice:
            'Najprawdopodobniej to program, a nie odwiedzający: jeśli należy do Państwa, prosimy zlecić jego poprawienie.',
        },
        tooMuchAsked: {
          what: 'Jeden adres wysłał bardzo dużo w krótkim czasie',
          advice: 'Zwykle to robot; jeśli było to biuro pełne odwiedzających, prosimy zlecić podniesienie limitu.',
        },
        tooMuchDownloaded: {
          what: 'Pobrano zbyt wiele naraz',
          advice: 'Duże pliki może lepiej przechowywać gdzie indziej.',
        },
        origin: {
          what: 'Witryna spoza listy wysłała formularze lub zdarzenia',
          advice: 'Jeśli należy do Państwa, prosimy zlecić dodanie jej do dozwolonych witryn.',
        },
        trackingKey: {
          what: 'Zdarzenia przyszły bez właściwego klucza śledzenia',
          advice: 'Skrypt w witrynie potrzebuje aktualnego klucza.',
        },
        form: {
          what: 'Strona wysłała formularz, który tu nie istnieje',
          advice:
            'Wskazuje stary lub błędnie zapisany formularz: prosimy zlecić poprawienie jego identyfikatora na stronie.',
        },
        size: {
          what: 'Formularz był dłuższy, niż jest to dozwolone',
          advice: 'Prosimy zlecić podniesienie limitu albo prosić w formularzu o mniej tekstu.',
        },
        storage: {
          what: 'Czegoś nie udało się zapisać',
          advice: 'Osoba prowadząca usługę powinna sprawdzić jej dysk.',
        },
        noScript: {
          what: 'Formularz wysłano bez jego skryptu',
          advice:
            'Prosimy sprawdzić, czy skrypt jest na stronie i się wczytuje; adres kontaktowy pomaga odwiedzającym, którzy go wyłączyli.',
        },
      },
    },
  },
}
