import type { Texts } from './en.ts'

export const es: Texts = {
  client: {
    accepted: 'Gracias, el formulario se ha enviado.',
    unavailable: 'Lo sentimos, no se ha podido enviar. Inténtelo de nuevo, por favor.',
    too_long: 'No se ha enviado: este texto tiene {length} caracteres y caben unos {max}. Acórtelo, por favor.',
    files: 'No se ha enviado: este formulario no permite enviar archivos. Vuelva a enviarlo para mandarlo sin ellos.',
    email: 'Introduzca una dirección de correo electrónico.',
    bot_check: 'Confirme que no es un robot, por favor.',
    file_type: 'No se ha enviado: este campo solo admite {types}.',
    file_too_large: 'No se ha enviado: el archivo ocupa más de {max}.',
    file_count: 'No se ha enviado: elija como máximo {count} archivos, por favor.',
    file_infected: 'No se ha enviado: es posible que el archivo contenga software malicioso. Compruébelo, por favor.',
  },

  leadMail: {},

  smallPages: {
    home: 'Página de inicio',
    contact: 'Contacto:',
    nowhere: {
      title: 'Aquí no hay nada',
      text: 'No hay ninguna página en esta dirección. Compruebe el enlace que ha seguido.',
    },
    notSent: {
      title: 'No se ha enviado nada',
      text: 'Este formulario necesita JavaScript y su navegador no lo ejecuta aquí. Nada de lo que ha escrito se ha enviado ni guardado. Vuelva atrás, active JavaScript para este sitio y envíe el formulario de nuevo.',
      orContact: 'O póngase en contacto directamente:',
    },
    linkBroken: {
      title: 'Este enlace no funciona',
      text: 'Quizá se cortó por el camino. Intente copiarlo entero del mensaje.',
    },
    linkElsewhere: {
      title: 'Este enlace lleva a otro sitio',
      text: 'Apunta a una dirección a la que este sitio no redirige, así que termina aquí.',
    },
    linkOneMoreStep: {
      title: 'Solo un paso más',
      text: 'Ahora mismo no hemos podido redirigirle automáticamente. Siga este enlace, por favor:',
    },
    previewWrong: {
      title: 'Este enlace de vista previa no funciona',
      text: 'No se copió entero, se modificó o se ha retirado. Pida a quien se lo envió que se lo envíe de nuevo.',
    },
    previewExpired: {
      title: 'Esta vista previa ha caducado',
      text: 'El enlace era correcto y funcionó hasta el {until}. Pida uno nuevo a quien se lo envió.',
    },
    previewForgotten: {
      title: 'Esta versión ya no se conserva',
      text: 'El enlace muestra la versión {version}, sustituida por otras más recientes. Pida a quien se lo envió un enlace a una posterior.',
    },
    busy: {
      title: 'Volvemos en un momento',
      text: 'Este sitio ya atiende a tantos visitantes como puede. Vuelva a intentarlo dentro de unos segundos.',
    },
    pageLost: {
      title: 'Volvemos en un momento',
      text: 'Esta página no se puede mostrar en este momento.',
    },
    tooManyDownloads: {
      title: 'Demasiadas descargas a la vez',
      text: 'Espere a que termine una de sus descargas y vuelva a abrir esta dirección.',
    },
    reportGone: {
      title: 'Este informe no existe',
      text: 'El enlace ha caducado, se ha retirado o no se copió entero. Pida uno nuevo a quien se lo envió.',
    },
  },

  confirm: {
    button: 'Confirmar',
    mail: {
      asks: 'Para confirmar, abra este enlace y pulse el botón:',
      lasts: 'El enlace es válido durante {days} días.',
      ignore: 'Si usted no ha enviado este formulario, ignore este correo.',
    },
    question: {
      title: 'Confirme, por favor',
      text: 'Pulse el botón para confirmar lo que ha enviado a este sitio.',
      unkept:
        'No se ha podido guardar su confirmación en este momento. Vuelva a pulsar el botón dentro de un instante.',
    },
    done: {
      title: 'Gracias',
      text: 'Hemos recibido su confirmación.',
    },
    ended: {
      title: 'Este enlace ya no es válido',
      text: 'Es demasiado antiguo, o aquello a lo que se refería ya no se conserva. Rellene de nuevo el formulario para recibir un enlace nuevo.',
    },
  },

  reply: {
    unsubscribe: 'Cancelar la suscripción',
    question: {
      title: '¿No quiere más correos?',
      text: 'Pulse el botón y este sitio dejará de enviar respuestas automáticas a su dirección.',
      button: 'Cancelar la suscripción',
      unkept: 'No se ha podido guardar en este momento. Vuelva a pulsar el botón dentro de un instante.',
    },
    done: {
      title: 'Hecho',
      text: 'No recibirá más respuestas automáticas de este sitio.',
    },
  },

  report: {
    example: 'Esto es un ejemplo, enviado para probar este destino.',
    exampleMark: '[Ejemplo]',
    subject: '{account}: {title}, {leads}',
    dates: '{dates} · zona horaria {zone}',
    zone: 'Zona horaria {zone}',
    madeOn: 'Elaborado el {date}.',
    words:
      'Una visita es todo lo que hace un navegador hasta que descansa media hora; un visitante es un navegador que conserva su cookie. Una solicitud es un formulario enviado y aceptado, sin repeticiones. La conversión es el número de solicitudes por cada cien visitas. Los bots que se identifican no cuentan.',
    wordsInShort:
      'La conversión es el número de solicitudes por cada cien visitas; los bots que se identifican no cuentan.',
    week: 'Semana {week}',
    weekOfYear: 'Semana {week} de {year}',

    when: {
      months: [
        'en enero',
        'en febrero',
        'en marzo',
        'en abril',
        'en mayo',
        'en junio',
        'en julio',
        'en agosto',
        'en septiembre',
        'en octubre',
        'en noviembre',
        'en diciembre',
      ],
      week: 'en la semana anterior',
      day: 'el día anterior',
      days: { one: 'el día anterior ({count})', other: 'en los {count} días anteriores' },
      dates: 'en el periodo {dates}',
      date: 'el {date}',
    },

    change: {
      more: '{amount} más',
      fewer: '{amount} menos',
      underPercent: 'menos de un {percent}',
      same: 'sin cambios',
      noneInBoth: 'ninguna en ambos',
      noneBefore: 'ninguna antes',
      noneNow: 'ninguna ahora',
      pointsMore: '{points} puntos más',
      pointsLess: '{points} puntos menos',
      sameShare: 'sin cambios',
    },

    summary: {
      nothing: 'Ninguna visita y ninguna solicitud.',
      plain: '{visits} y {leads}.',
      visitsCompared: '{visits} ({since}) y {leads}.',
      compared: '{visits} ({since}) y {leads} ({change}).',
      than: '{change} que {when}',
      same: 'tantas como {when}',
      noneBefore: 'ninguna {when}',
      noneInBoth: 'como {when}',
      noneNow: '{before} {when}',
      noVisits: 'Ninguna visita',
      noLeads: 'ninguna solicitud',
      bestSource: 'Mejor fuente: {source}, con {leads}.',
      mostViewed: 'Página más vista: {page}, con {views}.',
    },

    counted: {
      visits: { one: '{count} visita', other: '{count} visitas' },
      views: { one: '{count} página vista', other: '{count} páginas vistas' },
      pageViews: { one: '{count} vista', other: '{count} vistas' },
      leads: { one: '{count} solicitud', other: '{count} solicitudes' },
      clicks: { one: '{count} clic de una persona', other: '{count} clics de personas' },
    },

    figures: {
      visitors: 'Visitantes',
      visits: 'Visitas',
      views: 'Páginas vistas',
      leads: 'Solicitudes',
      conversion: 'Conversión',
      clicks: 'Clics de personas',
      noVisitors: 'Se han borrado los registros con los que se cuentan.',
      noVisits: 'No hubo visitas.',
      notFromVisits: 'Hubo solicitudes desde páginas cuyas visitas no se cuentan aquí.',
    },

    notes: {
      unfinished: 'Estas cifras incluyen el {date}, un día que aún no ha terminado.',
      comparedWith: 'Se comparan con las registradas {when}.',
      nothingYet: 'Todavía no se ha contado nada.',
      beganLater: 'El recuento empezó más tarde, el {date}.',
      began: 'El recuento empezó el {date}. No hay cifras de los días anteriores.',
      noEarlier: 'El recuento empezó el {date}, así que no hay un periodo anterior completo con el que comparar.',
      lost: {
        one: '{count} página vista no se pudo guardar y no figura en ninguna cifra.',
        other: '{count} páginas vistas no se pudieron guardar y no figuran en ninguna cifra.',
      },
      waiting: {
        one: '{count} registro aún se está procesando y no figura en estas cifras.',
        other: '{count} registros aún se están procesando y no figuran en estas cifras.',
      },
    },

    series: {
      title: 'Evolución',
      byDay: '{figure} por día',
      byWeek: '{figure} por semana',
      byMonth: '{figure} por mes',
      highest: '{sum} en total; el máximo: {label} ({most}).',
      behind: 'Detrás: {when}.',
      grey: 'En gris: {when}.',
      pale: '(en claro: {when})',
      upTo: 'hasta {count}',
      tableByDay: 'En cifras, por día',
      tableByWeek: 'En cifras, por semana',
      tableByMonth: 'En cifras, por mes',
      day: 'Día',
      week: 'Semana del',
      month: 'Mes',
      before: '{figure} {when}',
    },

    lists: {
      forms: {
        title: 'Solicitudes por formulario',
        heading: 'Formulario',
        more: { one: 'y {count} formulario más', other: 'y {count} formularios más' },
        empty: 'No se envió ningún formulario.',
        gone: '{id} (ya no existe)',
        repeats: {
          one: '{count} repetición de una solicitud no se cuenta aquí.',
          other: '{count} repeticiones de solicitudes no se cuentan aquí.',
        },
      },
      sources: {
        title: 'Solicitudes por fuente',
        heading: 'Fuente',
        more: { one: 'y {count} fuente más', other: 'y {count} fuentes más' },
        empty: 'Ninguna solicitud.',
        direct: 'Directo',
        unknown: 'Desconocida',
        others: 'Otras fuentes',
      },
      campaigns: {
        title: 'Solicitudes por campaña',
        heading: 'Campaña',
        more: { one: 'y {count} campaña más', other: 'y {count} campañas más' },
      },
      pages: {
        title: 'Páginas más vistas',
        heading: 'Página',
        views: 'Vistas',
        more: { one: 'y {count} página más', other: 'y {count} páginas más' },
        empty: 'No se vio ninguna página de destino.',
        elsewhere: {
          one: '{count} página vista más, en otros sitios web con el script.',
          other: '{count} páginas vistas más, en otros sitios web con el script.',
        },
      },
      messages: {
        title: 'Clics por mensaje',
        heading: 'Mensaje',
        human: 'Personas',
        suspected: 'Dudosos',
        machine: 'Máquinas',
        more: { one: 'y {count} mensaje más', other: 'y {count} mensajes más' },
        none: 'Enlaces sin mensaje',
        hint: 'Los filtros de correo también siguen los enlaces. Los clics que son suyos con seguridad están en «Máquinas»; los posibles, en «Dudosos».',
      },
    },

    goals: {
      title: 'Objetivos',
      heading: 'Objetivo',
      more: { one: 'y {count} objetivo más', other: 'y {count} objetivos más' },
      visitsBefore: 'Visitas antes',
      ofAll: 'De todas las visitas',
      times: 'Veces',
      form: 'Formulario {name}',
      event: 'Evento {name}',
      since: '{name} se cuenta desde el {date}; su proporción es la de las visitas desde entonces.',
    },
    funnels: {
      title: 'Embudos',
      step: 'Paso',
      more: { one: 'y {count} paso más', other: 'y {count} pasos más' },
      ofFirst: 'Del primero',
      nobody: 'Ninguna visita alcanzó el primer paso.',
      reached: 'El {percent} de las visitas que alcanzaron el primer paso también alcanzaron el último.',
    },
    splits: {
      title: 'Versiones de páginas',
      titleOf: 'Versiones de {page}',
      version: 'Versión',
      more: { one: 'y {count} versión más', other: 'y {count} versiones más' },
      itself: '{name} (la propia página)',
      range: 'Conversión, con su intervalo del 95\u00a0%',
      fromTo: 'del {low} al {high}',
      verdict: 'Veredicto: {verdict}.',
      noDifference: 'todavía no hay diferencia',
      better: '{name} es mejor {than}',
      betterThanSome: '{name} es mejor {than}; todavía no hay diferencia con {names}',
      than: 'que {name} (de 100 visitas, entre {low} y {high} más traen una solicitud)',
    },

    missing: {
      title: 'Buscado y no encontrado',
      address: 'Dirección',
      times: 'Veces',
      advice:
        'No hay nada en estas direcciones. Si un enlace antiguo lleva a una de ellas, una redirección guiaría a sus visitantes.',
    },

    keptOut: {
      title: 'Lo que no se dejó pasar',
      nothing: 'Nada digno de mención.',
      inQuarantine: 'En cuarentena.',
      quarantine: {
        one: '{count} envío parecía de un bot y se apartó. Si es auténtico, se puede liberar y entonces cuenta como solicitud.',
        other:
          '{count} envíos parecían de bots y se apartaron. Si alguno es auténtico, se puede liberar y entonces cuenta como solicitud.',
      },
      times: { one: '{what}: {count} vez.', other: '{what}: {count} veces.' },
      reasons: {
        unreadable: {
          what: 'Algo envió datos que no se pudieron leer',
          advice: 'Lo más probable es que sea un programa y no un visitante: si es suyo, haga que lo corrijan.',
        },
        tooMuchAsked: {
          what: 'Una dirección envió muchísimo en poco tiempo',
          advice: 'Casi siempre es un robot; si era una oficina llena de visitantes, haga que suban el límite.',
        },
        tooMuchDownloaded: {
          what: 'Se descargó demasiado a la vez',
          advice: 'Quizá los archivos grandes estén mejor en otro lugar.',
        },
        origin: {
          what: 'Un sitio web que no está en la lista envió formularios o eventos',
          advice: 'Si es suyo, haga que lo añadan a los sitios web permitidos.',
        },
        trackingKey: {
          what: 'Llegaron eventos sin la clave de seguimiento correcta',
          advice: 'El script del sitio web necesita la clave actual.',
        },
        form: {
          what: 'Una página envió un formulario que aquí no existe',
          advice: 'Nombra un formulario antiguo o mal escrito: haga que corrijan su identificador en la página.',
        },
        size: {
          what: 'Un formulario era más largo de lo permitido',
          advice: 'Haga que suban el límite, o pida menos texto en el formulario.',
        },
        storage: {
          what: 'Algo no se pudo guardar',
          advice: 'Quien gestiona el servicio debería revisar su disco.',
        },
        noScript: {
          what: 'Se envió un formulario sin su script',
          advice:
            'Compruebe que el script está en la página y se carga; una dirección de contacto ayuda a los visitantes que lo han desactivado.',
        },
      },
    },
  },
}
