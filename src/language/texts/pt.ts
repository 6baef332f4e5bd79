import type { Texts } from './en.ts'

export const pt: Texts = {
  client: {
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

  leadMail: {},

  smallPages: {
    home: 'Página inicial',
    contact: 'Contacto:',
    nowhere: {
      title: 'Não há nada aqui',
      text: 'Não existe nenhuma página neste endereço. Verifique a ligação que seguiu.',
    },
    notSent: {
      title: 'Nada foi enviado',
      text: 'Este formulário precisa de JavaScript, que o seu navegador não executa aqui. Nada do que escreveu foi enviado ou guardado. Volte atrás, ative o JavaScript para este site e envie o formulário novamente.',
      orContact: 'Ou entre em contacto diretamente:',
    },
    linkBroken: {
      title: 'Esta ligação não funciona',
      text: 'Talvez tenha sido cortada pelo caminho. Tente copiá-la por inteiro da mensagem.',
    },
    linkElsewhere: {
      title: 'Esta ligação leva a outro lugar',
      text: 'Aponta para um endereço para o qual este site não reencaminha, por isso termina aqui.',
    },
    linkOneMoreStep: {
      title: 'Só mais um passo',
      text: 'De momento não foi possível reencaminhá-lo automaticamente. Siga esta ligação, por favor:',
    },
    previewWrong: {
      title: 'Esta ligação de pré-visualização não funciona',
      text: 'Não foi copiada por inteiro, foi alterada ou foi retirada. Peça a quem lha enviou que a envie novamente.',
    },
    previewExpired: {
      title: 'Esta pré-visualização expirou',
      text: 'A ligação estava certa e funcionou até {until}. Peça uma nova a quem lha enviou.',
    },
    previewForgotten: {
      title: 'Esta versão já não é conservada',
      text: 'A ligação mostra a versão {version}, que foi substituída por outras mais recentes. Peça a quem lha enviou uma ligação para uma posterior.',
    },
    busy: {
      title: 'Voltamos já',
      text: 'Este site já está a servir tantos visitantes quantos consegue. Tente novamente dentro de alguns segundos.',
    },
    pageLost: {
      title: 'Voltamos já',
      text: 'De momento não é possível mostrar esta página.',
    },
    tooManyDownloads: {
      title: 'Demasiadas transferências ao mesmo tempo',
      text: 'Espere que uma das suas transferências termine e abra novamente este endereço.',
    },
    reportGone: {
      title: 'Este relatório não existe',
      text: 'A ligação expirou, foi retirada ou não foi copiada por inteiro. Peça uma nova a quem lha enviou.',
    },
  },

  confirm: {
    button: 'Confirmar',
    mail: {
      asks: 'Para confirmar, abra esta ligação e prima o botão:',
      lasts: 'A ligação é válida durante {days} dias.',
      ignore: 'Se não enviou este formulário, ignore este e-mail.',
    },
    question: {
      title: 'Confirme, por favor',
      text: 'Prima o botão para confirmar o que enviou a este site.',
      unkept: 'Não foi possível guardar a sua confirmação. Volte a premir o botão dentro de momentos.',
    },
    done: {
      title: 'Obrigado',
      text: 'A sua confirmação chegou.',
    },
    ended: {
      title: 'Esta ligação já não é válida',
      text: 'É demasiado antiga, ou aquilo a que se referia já não está guardado. Preencha novamente o formulário para receber uma nova ligação.',
    },
  },

  reply: {
    unsubscribe: 'Cancelar a subscrição',
    question: {
      title: 'Não quer mais e-mails?',
      text: 'Prima o botão e este site deixará de enviar respostas automáticas para o seu endereço.',
      button: 'Cancelar a subscrição',
      unkept: 'Não foi possível guardar o pedido. Volte a premir o botão dentro de momentos.',
    },
    done: {
      title: 'Concluído',
      text: 'Não receberá mais respostas automáticas deste site.',
    },
  },

  report: {
    example: 'Este é um exemplo, enviado para testar este destino.',
    exampleMark: '[Exemplo]',
    subject: '{account}: {title}, {leads}',
    dates: '{dates} · fuso horário {zone}',
    zone: 'Fuso horário {zone}',
    madeOn: 'Elaborado em {date}.',
    words:
      'Uma visita é tudo o que um navegador faz até parar durante meia hora; um visitante é um navegador que guarda o seu cookie. Um contacto é um formulário enviado e aceite, sem repetições. A conversão é o número de contactos por cada cem visitas. Os bots que se identificam não contam.',
    wordsInShort: 'A conversão é o número de contactos por cada cem visitas; os bots que se identificam não contam.',
    week: 'Semana {week}',
    weekOfYear: 'Semana {week} de {year}',

    when: {
      months: [
        'em janeiro',
        'em fevereiro',
        'em março',
        'em abril',
        'em maio',
        'em junho',
        'em julho',
        'em agosto',
        'em setembro',
        'em outubro',
        'em novembro',
        'em dezembro',
      ],
      week: 'na semana anterior',
      day: 'no dia anterior',
      days: { one: 'no dia anterior ({count})', other: 'nos {count} dias anteriores' },
      dates: 'no período {dates}',
      date: 'em {date}',
    },

    change: {
      more: 'mais {amount}',
      fewer: 'menos {amount}',
      underPercent: 'menos de {percent}',
      same: 'sem alteração',
      noneInBoth: 'zero em ambos',
      noneBefore: 'antes zero',
      noneNow: 'agora zero',
      pointsMore: 'mais {points} pontos',
      pointsLess: 'menos {points} pontos',
      sameShare: 'sem alteração',
    },

    summary: {
      nothing: 'Nenhuma visita e nenhum contacto.',
      plain: '{visits} e {leads}.',
      visitsCompared: '{visits} ({since}) e {leads}.',
      compared: '{visits} ({since}) e {leads} ({change}).',
      than: '{change} do que {when}',
      same: 'tantas como {when}',
      noneBefore: 'nenhuma {when}',
      noneInBoth: 'como {when}',
      noneNow: '{before} {when}',
      noVisits: 'Nenhuma visita',
      noLeads: 'nenhum contacto',
      bestSource: 'Melhor origem: {source}, com {leads}.',
      mostViewed: 'Página mais vista: {page}, com {views}.',
    },

    counted: {
      visits: { one: '{count} visita', other: '{count} visitas' },
      views: { one: '{count} página vista', other: '{count} páginas vistas' },
      pageViews: { one: '{count} visualização', other: '{count} visualizações' },
      leads: { one: '{count} contacto', other: '{count} contactos' },
      clicks: { one: '{count} clique de uma pessoa', other: '{count} cliques de pessoas' },
    },

    figures: {
      visitors: 'Visitantes',
      visits: 'Visitas',
      views: 'Páginas vistas',
      leads: 'Contactos',
      conversion: 'Conversão',
      clicks: 'Cliques de pessoas',
      noVisitors: 'Os registos com que se contam foram apagados.',
      noVisits: 'Não houve visitas.',
      notFromVisits: 'Houve contactos a partir de páginas cujas visitas não são contadas aqui.',
    },

    notes: {
      unfinished: 'Estes números incluem o dia {date}, que ainda não terminou.',
      comparedWith: 'São comparados com os registados {when}.',
      nothingYet: 'Ainda nada foi contado.',
      beganLater: 'A contagem começou mais tarde, em {date}.',
      began: 'A contagem começou em {date}. Não há números para os dias anteriores.',
      noEarlier: 'A contagem começou em {date}, por isso não há um período anterior completo com que comparar.',
      lost: {
        one: '{count} página vista não pôde ser guardada e não consta de nenhum número.',
        other: '{count} páginas vistas não puderam ser guardadas e não constam de nenhum número.',
      },
      waiting: {
        one: '{count} registo ainda está a ser processado e não consta destes números.',
        other: '{count} registos ainda estão a ser processados e não constam destes números.',
      },
    },

    series: {
      title: 'Evolução',
      byDay: '{figure} por dia',
      byWeek: '{figure} por semana',
      byMonth: '{figure} por mês',
      highest: '{sum} no total; o máximo: {label} ({most}).',
      behind: 'Por trás: {when}.',
      grey: 'A cinzento: {when}.',
      pale: '(a claro: {when})',
      upTo: 'até {count}',
      tableByDay: 'Em números, por dia',
      tableByWeek: 'Em números, por semana',
      tableByMonth: 'Em números, por mês',
      day: 'Dia',
      week: 'Semana de',
      month: 'Mês',
      before: '{figure} {when}',
    },

    lists: {
      forms: {
        title: 'Contactos por formulário',
        heading: 'Formulário',
        more: { one: 'e mais {count} formulário', other: 'e mais {count} formulários' },
        empty: 'Nenhum formulário foi enviado.',
        gone: '{id} (já não existe)',
        repeats: {
          one: '{count} repetição de um contacto não é contada aqui.',
          other: '{count} repetições de contactos não são contadas aqui.',
        },
      },
      sources: {
        title: 'Contactos por origem',
        heading: 'Origem',
        more: { one: 'e mais {count} origem', other: 'e mais {count} origens' },
        empty: 'Nenhum contacto.',
        direct: 'Direto',
        unknown: 'Desconhecida',
        others: 'Outras origens',
      },
      campaigns: {
        title: 'Contactos por campanha',
        heading: 'Campanha',
        more: { one: 'e mais {count} campanha', other: 'e mais {count} campanhas' },
      },
      pages: {
        title: 'Páginas mais vistas',
        heading: 'Página',
        views: 'Visualizações',
        more: { one: 'e mais {count} página', other: 'e mais {count} páginas' },
        empty: 'Nenhuma página de destino foi vista.',
        elsewhere: {
          one: 'mais {count} página vista, noutros sites com o script.',
          other: 'mais {count} páginas vistas, noutros sites com o script.',
        },
      },
      messages: {
        title: 'Cliques por mensagem',
        heading: 'Mensagem',
        human: 'Pessoas',
        suspected: 'Suspeitos',
        machine: 'Máquinas',
        more: { one: 'e mais {count} mensagem', other: 'e mais {count} mensagens' },
        none: 'Ligações sem mensagem',
        hint: 'Os filtros de e-mail também seguem ligações. Os cliques que são certamente deles estão em «Máquinas»; os possíveis, em «Suspeitos».',
      },
    },

    goals: {
      title: 'Objetivos',
      heading: 'Objetivo',
      more: { one: 'e mais {count} objetivo', other: 'e mais {count} objetivos' },
      visitsBefore: 'Visitas antes',
      ofAll: 'De todas as visitas',
      times: 'Vezes',
      form: 'Formulário {name}',
      event: 'Evento {name}',
      since: '{name} é contado desde {date}; a sua parte é a das visitas desde então.',
    },
    funnels: {
      title: 'Funis',
      step: 'Passo',
      more: { one: 'e mais {count} passo', other: 'e mais {count} passos' },
      ofFirst: 'Do primeiro',
      nobody: 'Nenhuma visita chegou ao primeiro passo.',
      reached: '{percent} das visitas que chegaram ao primeiro passo chegaram também ao último.',
    },
    splits: {
      title: 'Versões de páginas',
      titleOf: 'Versões de {page}',
      version: 'Versão',
      more: { one: 'e mais {count} versão', other: 'e mais {count} versões' },
      itself: '{name} (a própria página)',
      range: 'Conversão, com o seu intervalo de 95%',
      fromTo: '{low} a {high}',
      verdict: 'Veredito: {verdict}.',
      noDifference: 'ainda sem diferença',
      better: '{name} é melhor {than}',
      betterThanSome: '{name} é melhor {than}; ainda sem diferença em relação a {names}',
      than: 'do que {name} (em 100 visitas, {low} a {high} a mais trazem um contacto)',
    },

    missing: {
      title: 'Procurado e não encontrado',
      address: 'Endereço',
      times: 'Vezes',
      advice:
        'Não há nada nestes endereços. Se uma ligação antiga levar a um deles, um redirecionamento conduziria os visitantes ao lugar certo.',
    },

    keptOut: {
      title: 'O que não passou',
      nothing: 'Nada digno de nota.',
      inQuarantine: 'Em quarentena.',
      quarantine: {
        one: '{count} envio parecia de um bot e foi posto de parte. Se for genuíno, pode ser libertado e passa a contar como contacto.',
        other:
          '{count} envios pareciam de bots e foram postos de parte. Se algum for genuíno, pode ser libertado e passa a contar como contacto.',
      },
      times: { one: '{what}: {count} vez.', other: '{what}: {count} vezes.' },
      reasons: {
        unreadable: {
          what: 'Algo enviou dados que não se conseguiram ler',
          advice: 'É muito provavelmente um programa e não um visitante: se for seu, mande corrigi-lo.',
        },
        tooMuchAsked: {
          what: 'Um endereço enviou muitíssimo em pouco tempo',
          advice: 'Quase sempre é um robô; se era um escritório cheio de visitantes, mande subir o limite.',
        },
        tooMuchDownloaded: {
          what: 'Transferiu-se demasiado ao mesmo tempo',
          advice: 'Talvez os ficheiros grandes fiquem melhor noutro lugar.',
        },
        origin: {
          what: 'Um site que não está na lista enviou formulários ou eventos',
          advice: 'Se for seu, mande acrescentá-lo aos sites permitidos.',
        },
        trackingKey: {
          what: 'Chegaram eventos sem a chave de monitorização correta',
          advice: 'O script do site precisa da chave atual.',
        },
        form: {
          what: 'Uma página enviou um formulário que não existe aqui',
          advice: 'Indica um formulário antigo ou mal escrito: mande corrigir o identificador do formulário na página.',
        },
        size: {
          what: 'Um formulário era mais longo do que o aceite',
          advice: 'Mande subir o limite, ou peça menos texto no formulário.',
        },
        storage: {
          what: 'Algo não pôde ser guardado',
          advice: 'Quem gere o serviço deve verificar o disco.',
        },
        noScript: {
          what: 'Um formulário foi enviado sem o seu script',
          advice:
            'Verifique se o script está na página e é carregado; um endereço de contacto ajuda os visitantes que o desligaram.',
        },
      },
    },
  },
}
