import type { Texts } from './en.ts'

export const nl: Texts = {
  client: {
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

  leadMail: {},

  smallPages: {
    home: 'Startpagina',
    contact: 'Contact:',
    nowhere: {
      title: 'Hier is niets',
      text: 'Op dit adres staat geen pagina. Controleer de link die u hebt gevolgd.',
    },
    notSent: {
      title: 'Er is niets verzonden',
      text: 'Dit formulier heeft JavaScript nodig en uw browser voert dat hier niet uit. Niets van wat u hebt ingevuld, is verzonden of bewaard. Ga terug, zet JavaScript aan voor deze site en verzend het formulier opnieuw.',
      orContact: 'Of neem rechtstreeks contact op:',
    },
    linkBroken: {
      title: 'Deze link werkt niet',
      text: 'Misschien is hij onderweg afgebroken. Kopieer de hele link uit het bericht.',
    },
    linkElsewhere: {
      title: 'Deze link leidt ergens anders heen',
      text: 'Hij verwijst naar een adres waarnaar deze site niet doorstuurt, en houdt daarom hier op.',
    },
    linkOneMoreStep: {
      title: 'Nog één stap',
      text: 'We konden u zojuist niet automatisch doorsturen. Volg alstublieft deze link:',
    },
    previewWrong: {
      title: 'Deze voorbeeldlink werkt niet',
      text: 'De link is niet volledig gekopieerd, is gewijzigd of is ingetrokken. Vraag de afzender om hem nog eens te sturen.',
    },
    previewExpired: {
      title: 'Dit voorbeeld is verlopen',
      text: 'De link klopte en werkte tot {until}. Vraag de afzender om een nieuwe.',
    },
    previewForgotten: {
      title: 'Deze versie wordt niet meer bewaard',
      text: 'De link toont versie {version}, die door nieuwere is vervangen. Vraag de afzender om een link naar een latere versie.',
    },
    busy: {
      title: 'Zo weer terug',
      text: 'Deze site bedient op dit moment zoveel bezoekers als mogelijk is. Probeer het over een paar seconden opnieuw.',
    },
    pageLost: {
      title: 'Zo weer terug',
      text: 'Deze pagina kan op dit moment niet worden getoond.',
    },
    tooManyDownloads: {
      title: 'Te veel downloads tegelijk',
      text: 'Wacht tot een van uw downloads klaar is en open dit adres dan opnieuw.',
    },
    reportGone: {
      title: 'Dit rapport bestaat niet',
      text: 'De link is verlopen, is ingetrokken of is niet volledig gekopieerd. Vraag de afzender om een nieuwe.',
    },
  },

  confirm: {
    button: 'Bevestigen',
    mail: {
      asks: 'Open deze link en klik op de knop om te bevestigen:',
      lasts: 'De link werkt {days} dagen.',
      ignore: 'Hebt u dit formulier niet verzonden? Dan kunt u deze e-mail negeren.',
    },
    question: {
      title: 'Bevestig alstublieft',
      text: 'Klik op de knop om te bevestigen wat u naar deze site hebt verzonden.',
      unkept: 'Uw bevestiging kon zojuist niet worden opgeslagen. Klik zo dadelijk nog eens op de knop.',
    },
    done: {
      title: 'Hartelijk dank',
      text: 'Uw bevestiging is aangekomen.',
    },
    ended: {
      title: 'Deze link werkt niet meer',
      text: 'De link is te oud, of de gegevens waar hij bij hoort zijn niet meer opgeslagen. Vul het formulier opnieuw in om een nieuwe link te krijgen.',
    },
  },

  reply: {
    unsubscribe: 'Afmelden',
    question: {
      title: 'Geen e-mail meer?',
      text: 'Klik op de knop, dan stuurt deze site geen automatische antwoorden meer naar uw adres.',
      button: 'Afmelden',
      unkept: 'Dit kon zojuist niet worden opgeslagen. Klik zo dadelijk nog eens op de knop.',
    },
    done: {
      title: 'Gelukt',
      text: 'U ontvangt geen automatische antwoorden meer van deze site.',
    },
  },

  report: {
    example: 'Dit is een voorbeeld, verstuurd om deze bestemming te testen.',
    exampleMark: '[Voorbeeld]',
    subject: '{account}: {title}, {leads}',
    dates: '{dates} · tijdzone {zone}',
    zone: 'Tijdzone {zone}',
    madeOn: 'Gemaakt op {date}.',
    words:
      'Een bezoek is alles wat een browser doet tot hij een halfuur pauzeert; een bezoeker is een browser die zijn cookie bewaart. Een aanvraag is een formulier dat is verzonden en geaccepteerd, zonder herhalingen. De conversie is het aantal aanvragen per honderd bezoeken. Bots die zich bekendmaken, tellen niet mee.',
    wordsInShort:
      'De conversie is het aantal aanvragen per honderd bezoeken; bots die zich bekendmaken, tellen niet mee.',
    week: 'Week {week}',
    weekOfYear: 'Week {week} van {year}',

    when: {
      months: [
        'in januari',
        'in februari',
        'in maart',
        'in april',
        'in mei',
        'in juni',
        'in juli',
        'in augustus',
        'in september',
        'in oktober',
        'in november',
        'in december',
      ],
      week: 'in de week ervoor',
      day: 'op de dag ervoor',
      days: { one: 'op de dag ervoor ({count})', other: 'in de {count} dagen ervoor' },
      dates: 'in de periode {dates}',
      date: 'op {date}',
    },

    change: {
      more: '{amount} meer',
      fewer: '{amount} minder',
      underPercent: 'minder dan {percent}',
      same: 'ongewijzigd',
      noneInBoth: 'beide keren geen',
      noneBefore: 'eerder geen',
      noneNow: 'nu geen',
      pointsMore: '{points} procentpunt meer',
      pointsLess: '{points} procentpunt minder',
      sameShare: 'ongewijzigd',
    },

    summary: {
      nothing: 'Geen bezoeken en geen aanvragen.',
      plain: '{visits} en {leads}.',
      visitsCompared: '{visits} ({since}) en {leads}.',
      compared: '{visits} ({since}) en {leads} ({change}).',
      than: '{change} dan {when}',
      same: 'evenveel als {when}',
      noneBefore: '{when} geen',
      noneInBoth: 'net als {when}',
      noneNow: '{when} {before}',
      noVisits: 'Geen bezoeken',
      noLeads: 'geen aanvragen',
      bestSource: 'Beste bron: {source} met {leads}.',
      mostViewed: 'Meest bekeken pagina: {page} met {views}.',
    },

    counted: {
      visits: { one: '{count} bezoek', other: '{count} bezoeken' },
      views: { one: '{count} paginaweergave', other: '{count} paginaweergaven' },
      pageViews: { one: '{count} weergave', other: '{count} weergaven' },
      leads: { one: '{count} aanvraag', other: '{count} aanvragen' },
      clicks: { one: '{count} klik van een mens', other: '{count} kliks van mensen' },
    },

    figures: {
      visitors: 'Bezoekers',
      visits: 'Bezoeken',
      views: 'Paginaweergaven',
      leads: 'Aanvragen',
      conversion: 'Conversie',
      clicks: 'Kliks van mensen',
      noVisitors: 'De gegevens om ze te tellen zijn verwijderd.',
      noVisits: 'Er waren geen bezoeken.',
      notFromVisits: 'Aanvragen kwamen van pagina’s waarvan de bezoeken hier niet worden geteld.',
    },

    notes: {
      unfinished: 'Deze cijfers bevatten {date}, een dag die nog niet voorbij is.',
      comparedWith: 'Ze worden vergeleken met de cijfers {when}.',
      nothingYet: 'Er is nog niets geteld.',
      beganLater: 'Het tellen begon later, op {date}.',
      began: 'Het tellen begon op {date}. Voor eerdere dagen zijn er geen cijfers.',
      noEarlier: 'Het tellen begon op {date}, dus er is geen volledige eerdere periode om mee te vergelijken.',
      lost: {
        one: '{count} paginaweergave kon niet worden opgeslagen en zit in geen enkel cijfer.',
        other: '{count} paginaweergaven konden niet worden opgeslagen en zitten in geen enkel cijfer.',
      },
      waiting: {
        one: '{count} registratie wordt nog verwerkt en zit niet in deze cijfers.',
        other: '{count} registraties worden nog verwerkt en zitten niet in deze cijfers.',
      },
    },

    series: {
      title: 'Verloop',
      byDay: '{figure} per dag',
      byWeek: '{figure} per week',
      byMonth: '{figure} per maand',
      highest: '{sum} in totaal, de meeste: {label} ({most}).',
      behind: 'Erachter: {when}.',
      grey: 'Grijs: {when}.',
      pale: '(licht: {when})',
      upTo: 'tot {count}',
      tableByDay: 'In cijfers, per dag',
      tableByWeek: 'In cijfers, per week',
      tableByMonth: 'In cijfers, per maand',
      day: 'Dag',
      week: 'Week vanaf',
      month: 'Maand',
      before: '{figure} {when}',
    },

    lists: {
      forms: {
        title: 'Aanvragen per formulier',
        heading: 'Formulier',
        more: { one: 'en nog {count} formulier', other: 'en nog {count} formulieren' },
        empty: 'Er is geen formulier verzonden.',
        gone: '{id} (bestaat niet meer)',
        repeats: {
          one: '{count} herhaling van een aanvraag is hier niet meegeteld.',
          other: '{count} herhalingen van aanvragen zijn hier niet meegeteld.',
        },
      },
      sources: {
        title: 'Aanvragen per bron',
        heading: 'Bron',
        more: { one: 'en nog {count} bron', other: 'en nog {count} bronnen' },
        empty: 'Geen aanvragen.',
        direct: 'Rechtstreeks',
        unknown: 'Onbekend',
        others: 'Andere bronnen',
      },
      campaigns: {
        title: 'Aanvragen per campagne',
        heading: 'Campagne',
        more: { one: 'en nog {count} campagne', other: 'en nog {count} campagnes' },
      },
      pages: {
        title: 'Meest bekeken pagina’s',
        heading: 'Pagina',
        views: 'Weergaven',
        more: { one: 'en nog {count} pagina', other: 'en nog {count} pagina’s' },
        empty: 'Er is geen landingspagina bekeken.',
        elsewhere: {
          one: '{count} andere paginaweergave: op andere websites met het script.',
          other: '{count} andere paginaweergaven: op andere websites met het script.',
        },
      },
      messages: {
        title: 'Kliks per bericht',
        heading: 'Bericht',
        human: 'Mens',
        suspected: 'Verdacht',
        machine: 'Programma',
        more: { one: 'en nog {count} bericht', other: 'en nog {count} berichten' },
        none: 'Links zonder bericht',
        hint: 'Ook mailfilters volgen links. Kliks die zeker van hen zijn, staan onder ‘Programma’, mogelijke onder ‘Verdacht’.',
      },
    },

    goals: {
      title: 'Doelen',
      heading: 'Doel',
      more: { one: 'en nog {count} doel', other: 'en nog {count} doelen' },
      visitsBefore: 'Bezoeken ervoor',
      ofAll: 'Van alle bezoeken',
      times: 'Aantal keer',
      form: 'Formulier {name}',
      event: 'Gebeurtenis {name}',
      since: '{name} wordt geteld sinds {date}; het aandeel geldt voor de bezoeken sindsdien.',
    },
    funnels: {
      title: 'Trechters',
      step: 'Stap',
      more: { one: 'en nog {count} stap', other: 'en nog {count} stappen' },
      ofFirst: 'Van de eerste',
      nobody: 'Geen bezoek heeft de eerste stap bereikt.',
      reached: '{percent} van de bezoeken die de eerste stap bereikten, bereikte ook de laatste.',
    },
    splits: {
      title: 'Versies van pagina’s',
      titleOf: 'Versies van {page}',
      version: 'Versie',
      more: { one: 'en nog {count} versie', other: 'en nog {count} versies' },
      itself: '{name} (de pagina zelf)',
      range: 'Conversie, met het 95%-interval',
      fromTo: '{low} tot {high}',
      verdict: 'Oordeel: {verdict}.',
      noDifference: 'nog geen verschil',
      better: '{name} is beter {than}',
      betterThanSome: '{name} is beter {than}; nog geen verschil met {names}',
      than: 'dan {name} (van 100 bezoeken leveren er {low} tot {high} meer een aanvraag op)',
    },

    missing: {
      title: 'Gezocht en niet gevonden',
      address: 'Adres',
      times: 'Aantal keer',
      advice:
        'Op deze adressen staat niets. Als een oude link ernaartoe leidt, kan een doorverwijzing de bezoekers verder helpen.',
    },

    keptOut: {
      title: 'Wat is tegengehouden',
      nothing: 'Niets bijzonders.',
      inQuarantine: 'In quarantaine.',
      quarantine: {
        one: '{count} inzending leek van een bot te komen en is apart gehouden. Als ze echt is, kan ze worden vrijgegeven en telt ze daarna als aanvraag.',
        other:
          '{count} inzendingen leken van bots te komen en zijn apart gehouden. Als er een echt is, kan die worden vrijgegeven en telt ze daarna als aanvraag.',
      },
      times: { one: '{what}: {count} keer.', other: '{what}: {count} keer.' },
      reasons: {
        unreadable: {
          what: 'Iets stuurde gegevens die niet te lezen waren',
          advice: 'Waarschijnlijk is het een programma en geen bezoeker: laat het herstellen als het van u is.',
        },
        tooMuchAsked: {
          what: 'Eén adres stuurde heel veel in korte tijd',
          advice: 'Meestal is dat een robot; laat de limiet verhogen als het een kantoor vol bezoekers was.',
        },
        tooMuchDownloaded: {
          what: 'Er is te veel tegelijk gedownload',
          advice: 'Grote bestanden kunnen misschien beter elders staan.',
        },
        origin: {
          what: 'Een website die niet op de lijst staat, stuurde formulieren of gebeurtenissen',
          advice: 'Laat haar aan de toegestane websites toevoegen als ze van u is.',
        },
        trackingKey: {
          what: 'Er kwamen gebeurtenissen zonder de juiste trackingsleutel',
          advice: 'Het script op de website heeft de huidige sleutel nodig.',
        },
        form: {
          what: 'Een pagina stuurde een formulier dat hier niet bestaat',
          advice:
            'Ze noemt een oud of verkeerd gespeld formulier: laat de id van het formulier op de pagina verbeteren.',
        },
        size: {
          what: 'Een formulier was langer dan is toegestaan',
          advice: 'Laat de limiet verhogen, of vraag in het formulier om minder tekst.',
        },
        storage: {
          what: 'Iets kon niet worden opgeslagen',
          advice: 'Wie de dienst beheert, moet de schijf nakijken.',
        },
        noScript: {
          what: 'Een formulier is zonder zijn script verzonden',
          advice:
            'Controleer of het script op de pagina staat en wordt geladen; een contactadres helpt bezoekers die het hebben uitgezet.',
        },
      },
    },
  },
}
