import type { Texts } from './en.ts'

export const fr: Texts = {
  client: {
    accepted: 'Merci, votre formulaire a bien été envoyé.',
    unavailable: 'Désolé, l’envoi a échoué. Veuillez réessayer.',
    too_long:
      'Non envoyé\u00a0: ce texte compte {length} caractères, pour un maximum d’environ {max}. Veuillez le raccourcir.',
    files:
      'Non envoyé\u00a0: ce formulaire ne permet pas d’envoyer de fichiers. Envoyez-le à nouveau pour le transmettre sans fichiers.',
    email: 'Veuillez saisir une adresse e-mail.',
    bot_check: 'Veuillez confirmer que vous n’êtes pas un robot.',
    file_type: 'Non envoyé\u00a0: ce champ n’accepte que {types}.',
    file_too_large: 'Non envoyé\u00a0: le fichier dépasse {max}.',
    file_count: 'Non envoyé\u00a0: veuillez choisir au maximum {count} fichiers.',
    file_infected: 'Non envoyé\u00a0: le fichier contient peut-être un logiciel malveillant. Veuillez le vérifier.',
  },

  leadMail: {
    wrote: '{who} vous a écrit',
    visitor: 'Un visiteur',
    newMessage: 'un nouveau message',
    newMessages: { one: '{count} nouveau message', other: '{count} nouveaux messages' },
    answer: 'Répondez à cet e-mail pour écrire à {who}.',
    answerVisitor: 'Répondez à cet e-mail pour écrire au visiteur.',
    noAddress: 'Le visiteur n’a pas laissé d’adresse pour lui répondre.',
    testMark: '[Test]',
    test: 'Ceci est un test. Personne ne l’a envoyé.',
    released: 'Ce message, jugé automatique, avait été retenu\u00a0; il a été libéré manuellement.',
    backfilled:
      'Ce message est arrivé avant la mise en place de cette notification\u00a0; il ne vous est donc transmis que maintenant.',
    moreFields: { one: 'et {count} autre champ', other: 'et {count} autres champs' },
    further: {
      one: '{count} autre message suit dans le prochain e-mail.',
      other: '{count} autres messages suivent dans les prochains e-mails.',
    },
    received: 'Reçu',
    page: 'Page',
    source: 'Source',
    files: 'Fichiers',
    direct: 'direct',
    campaign: 'campagne {name}',
    nameless: '(sans nom)',
    open: 'Ouvrir ce message',
    sent: 'Envoyé depuis {domain}, notification «\u00a0{name}\u00a0».',
    credit: 'Envoyé avec Capture.',
  },

  smallPages: {
    home: 'Page d’accueil',
    contact: 'Contact\u00a0:',
    nowhere: {
      title: 'Il n’y a rien ici',
      text: 'Aucune page ne se trouve à cette adresse. Vérifiez le lien que vous avez suivi.',
    },
    notSent: {
      title: 'Rien n’a été envoyé',
      text: 'Ce formulaire a besoin de JavaScript, que votre navigateur n’exécute pas ici. Rien de ce que vous avez saisi n’a été envoyé ni conservé. Revenez en arrière, activez JavaScript pour ce site, puis envoyez à nouveau le formulaire.',
      orContact: 'Ou contactez-nous directement\u00a0:',
    },
    linkBroken: {
      title: 'Ce lien ne fonctionne pas',
      text: 'Il a peut-être été coupé en chemin. Essayez de le copier en entier depuis le message.',
    },
    linkElsewhere: {
      title: 'Ce lien mène ailleurs',
      text: 'Il pointe vers une adresse vers laquelle ce site ne redirige pas\u00a0; il s’arrête donc ici.',
    },
    linkOneMoreStep: {
      title: 'Encore une étape',
      text: 'Nous n’avons pas pu vous rediriger automatiquement. Veuillez suivre ce lien\u00a0:',
    },
    previewWrong: {
      title: 'Ce lien d’aperçu ne fonctionne pas',
      text: 'Il n’a pas été copié en entier, a été modifié ou a été retiré. Demandez à la personne qui vous l’a envoyé de vous le renvoyer.',
    },
    previewExpired: {
      title: 'Cet aperçu a expiré',
      text: 'Le lien était correct et valable jusqu’au {until}. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    },
    previewForgotten: {
      title: 'Cette version n’est plus conservée',
      text: 'Le lien mène à la version {version}, remplacée depuis par de plus récentes. Demandez à la personne qui vous l’a envoyé un lien vers une version plus récente.',
    },
    busy: {
      title: 'De retour dans un instant',
      text: 'Ce site est très sollicité en ce moment. Réessayez dans quelques secondes.',
    },
    pageLost: {
      title: 'De retour dans un instant',
      text: 'Cette page ne peut pas être affichée pour le moment.',
    },
    tooManyDownloads: {
      title: 'Trop de téléchargements à la fois',
      text: 'Attendez que l’un de vos téléchargements soit terminé, puis ouvrez à nouveau cette adresse.',
    },
    reportGone: {
      title: 'Ce rapport n’est pas disponible',
      text: 'Le lien a expiré, a été retiré ou n’a pas été copié en entier. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
    },
  },

  console: {
    skip: 'Aller au contenu',
    menu: 'Menu',
    signOut: 'Se déconnecter',
    signIn: 'Votre connexion',
    help: 'Aide',
    accounts: 'Comptes',
    allAccounts: 'Tous les comptes ({count})',
    switchAccount: 'changer de compte',
    onOneServer:
      'Les dernières modifications sont enregistrées sur un serveur, mais pas encore sur les autres. S’il tombait en panne maintenant, elles seraient perdues.',
    report: 'Rapport',
    leads: 'Demandes',
    download: 'Télécharger',
    picture: 'image',
    period: {
      label: 'Période',
      '7d': '7 jours',
      '30d': '30 jours',
      month: 'Ce mois-ci',
      'last-month': 'Le mois dernier',
      custom: 'Autres dates',
      from: 'Du',
      to: 'au',
      show: 'Afficher',
      noDays: 'Choisissez un premier et un dernier jour. Le rapport montre les 30 derniers jours.',
      reversed: 'Le dernier jour précède le premier. Le rapport montre les 30 derniers jours.',
      future: 'Ces jours sont à venir. Le rapport montre les 30 derniers jours.',
    },
    emptyReport: {
      text: 'Les chiffres s’affichent ici peu après la première visite. S’il y a déjà eu des visites, signalez-le à votre agence.',
      open: 'Ouvrir {page}',
    },
    masked: 'Les noms, les coordonnées et les longs textes sont masqués. Demandez-les à votre agence.',
    noLeads: 'Aucune demande pour l’instant. Les nouvelles demandes s’affichent ici automatiquement.',
    newLead: 'Nouvelle demande',
    live: 'En direct',
    notLive: 'Pas de connexion. Les nouvelles demandes apparaîtront dès son rétablissement.',
    older: 'Plus anciennes',
    lead: {
      cameFrom: 'Provenance',
      download: 'Télécharger la page affichée au visiteur',
      all: 'Toutes les demandes',
      nothing: 'Aucun champ n’a été rempli.',
      call: 'Appeler',
      write: 'Écrire un e-mail',
      files: 'Fichiers',
      filesHidden: {
        one: '{count} fichier. Votre agence peut l’ouvrir.',
        other: '{count} fichiers. Votre agence peut les ouvrir.',
      },
      filesHint: 'Un visiteur a envoyé ceci. Ouvrez-le avec la même prudence que la pièce jointe d’un inconnu.',
      yes: 'oui',
      no: 'non',
      hidden: 'Masqué. Demandez-le à votre agence.',
    },
    signingIn: {
      title: 'Se connecter',
      address: 'Adresse e-mail',
      codeHint:
        'De votre application d’authentification, ou un code de récupération\u00a0: il suffit si vous n’avez pas de mot de passe.',
      cannot: 'Connexion impossible\u00a0? Demandez de l’aide à qui vous a invité.',
      wrong: 'L’adresse, le mot de passe ou le code est erroné. Chaque code ne sert qu’une fois.',
    },
    script: {
      offline:
        'Vous êtes hors ligne. Rien n’a été envoyé et rien n’est perdu\u00a0: envoyez à nouveau une fois la connexion rétablie.',
      retyped: 'Rien n’a encore été fait. Votre saisie est de retour\u00a0: relisez-la et envoyez-la à nouveau.',
      passkeyFailed: 'Cela n’a pas fonctionné. Réessayez ou utilisez votre mot de passe.',
      selected: 'Sélectionné\u00a0: copiez-le vous-même',
    },
    messages: {
      nothingHere: {
        title: 'Rien ici',
        text: 'Le contenu a été retiré, ou cette adresse ne mène à rien que vous puissiez ouvrir.',
      },
      signedOut: {
        title: 'Session terminée',
        text: 'Connectez-vous à nouveau et réessayez.',
      },
      notAllowed: {
        title: 'Accès refusé à votre rôle',
        text: 'Si vous en avez besoin, adressez-vous à un administrateur du compte.',
      },
      notForClients: {
        title: 'Vous ne pouvez pas ouvrir cette page',
        text: 'Si vous en avez besoin, adressez-vous à votre agence.',
      },
      heldBack: {
        title: 'Mis de côté',
        text: 'Cet envoi semblait provenir d’un robot, ou a été refusé à la main\u00a0: il ne compte donc pas comme une demande. Votre agence peut le libérer.',
      },
      crossSite: {
        title: 'Envoi refusé',
        text: 'Un autre site web a envoyé ce formulaire. Ouvrez cette page vous-même et réessayez.',
      },
      failed: {
        title: 'Cela n’a pas fonctionné',
        text: 'La page ne peut pas être affichée pour l’instant. Réessayez. Si cela se reproduit, prévenez votre agence.',
      },
      busy: {
        title: 'Trop de tentatives',
        text: 'Patientez quelques minutes, puis réessayez. Entre-temps, vous pouvez utiliser une clé d’accès.',
      },
      gone: {
        title: 'Ce lien ne fonctionne plus',
        text: 'Une invitation sert une fois, pendant 24 heures, tant que son compte existe. Demandez-en une nouvelle.',
      },
      lastAdmin: {
        title: 'Dernier administrateur du compte',
        text: 'Le compte n’aurait plus d’administrateur. Nommez d’abord quelqu’un d’autre, puis ouvrez à nouveau le lien.',
      },
      tooLarge: {
        title: 'Trop volumineux',
        text: 'Cette page n’accepte pas autant de données. Revenez en arrière et envoyez-en moins.',
      },
      onceMore: {
        title: 'Un instant',
        text: 'Ouverture de la page…',
      },
    },
    toConsole: 'Vers l’accueil',
    backTo: 'Retour à «\u00a0{page}\u00a0»',
    entry: {
      title: 'Bienvenue sur Capture',
      invited: 'Cette invitation est adressée à {email}.',
      invitedBy: 'Invitation de {by}.',
      access: 'Accès\u00a0: {access}.',
      accept: 'Accepter',
      setPassword: 'Définir le mot de passe et se connecter',
      passkey: 'Avec une clé d’accès',
      passkeyText:
        'Connectez-vous avec votre empreinte, votre visage ou le verrouillage de l’écran. Aucun mot de passe à retenir.',
      createPasskey: 'Créer une clé d’accès',
      orPassword: 'Ou avec un mot de passe',
      password: 'Mot de passe',
      passwordHint: 'Au moins {count} caractères. Quatre mots au hasard font un bon mot de passe.',
      repeat: 'Répétez le mot de passe',
      app: 'Application d’authentification',
      scan: 'Ouvrez ou scannez cette clé avec une application comme Aegis, 1Password ou Google Authenticator, puis saisissez le code affiché.',
      picture: 'La clé pour l’application sous forme de code QR\u00a0; elle figure en texte ci-dessous',
      openApp: 'Ouvrir dans une application de cet appareil',
      scanElsewhere: 'Scanner avec un autre appareil',
      orKey: 'Ou saisissez la clé\u00a0:',
      code: 'Code de l’application',
      codesTitle: 'Conservez ces codes',
      codes: 'Codes de récupération',
      codesForApp: 'Chaque code permet de se connecter une fois sans l’application.',
      codesForPasskey:
        'Chaque code permet de se connecter une fois sans la clé d’accès\u00a0: saisissez votre adresse et le code, sans mot de passe.',
      shownOnce:
        'Ils ne seront plus affichés\u00a0: imprimez-les ou enregistrez-les dans votre gestionnaire de mots de passe.',
      saved: 'Je les ai enregistrés',
      copy: 'Copier',
      copied: 'Copié',
      download: 'Télécharger',
      print: 'Imprimer',
      passwordsDiffer: 'Les deux mots de passe diffèrent.',
      wrongCode: 'Ce n’est pas le code que l’application affiche en ce moment. Vérifiez l’heure de votre téléphone.',
      wrongPasskey: 'La clé d’accès n’a pas été acceptée. Créez-la à nouveau ou choisissez un mot de passe.',
      newAccess: 'Nouvel accès\u00a0: {access}. Vous vous connectez comme avant.',
      signInFirst: 'Vous avez déjà un accès ici. Connectez-vous en tant que {email} pour accepter.',
      passwordFaults: {
        short:
          'Utilisez au moins {count} caractères\u00a0: quatre mots au hasard valent mieux qu’un mot avec des chiffres.',
        long: 'Utilisez au plus {count} caractères.',
        poor: 'Utilisez des caractères plus variés.',
        address: 'N’utilisez pas votre adresse dans le mot de passe.',
        common:
          'Beaucoup de gens utilisent ce mot de passe, il est donc essayé en premier. Quatre mots au hasard valent mieux.',
        names:
          'Ne composez pas le mot de passe avec des noms de comptes, de sites web ou de Capture\u00a0: ils sont essayés en premier.',
      },
    },
    me: {
      secrets: 'Mot de passe et codes',
      passwordSet: 'Défini',
      appOn: 'Active',
      notSet: 'À configurer',
      changePassword: 'Changer le mot de passe',
      otherApp: 'Utiliser une autre application d’authentification',
      left: { one: 'il en reste {count}', other: 'il en reste {count}' },
      newCodes: 'En créer de nouveaux',
      passkeys: 'Clés d’accès',
      aboutPasskeys:
        'Avec une clé d’accès, vous vous connectez par empreinte, visage ou verrouillage de l’écran, sans mot de passe ni code.',
      passkeysAt: 'Les clés d’accès ne fonctionnent qu’à l’adresse {host}.',
      noPasskeysHere: 'Les clés d’accès ne fonctionnent pas à cette adresse.',
      passkeyName: 'Nom de la nouvelle clé d’accès',
      passkeyExample: 'Téléphone',
      addPasskey: 'Ajouter une clé d’accès',
      sessions: 'Sessions',
      endOthers: 'Terminer toutes les autres sessions',
      passkey: 'Clé d’accès',
      added: 'Ajoutée',
      lastUsed: 'Dernière utilisation',
      never: 'jamais',
      remove: 'Supprimer',
      browser: 'Navigateur',
      otherBrowser: 'Autre navigateur',
      thisBrowser: 'Ce navigateur',
      from: 'Adresse IP',
      end: 'Terminer',
      now: 'maintenant',
      sessionEnded: 'La session est terminée.',
      othersEnded: 'Toutes les autres sessions sont terminées.',
      passkeyRemoved: 'La clé d’accès est supprimée et toutes les autres sessions sont terminées.',
      passkeyAdded: 'La clé d’accès est ajoutée.',
      onlyPasskey:
        'Cette clé d’accès est votre seul moyen de connexion. Ajoutez-en d’abord une autre, ou configurez un mot de passe et une application.',
      currentPassword: 'Mot de passe actuel',
      wrongCurrent: 'Le mot de passe actuel est erroné.',
      forgot: 'Si vous l’avez oublié, confirmez plutôt votre identité avec une clé d’accès',
      newPasswordField: 'Nouveau mot de passe',
      repeatNew: 'Répétez le nouveau mot de passe',
      changeIt: 'Changer le mot de passe',
      othersEnd: 'Vos autres sessions seront terminées.',
      passwordChanged: 'Le mot de passe est changé et toutes les autres sessions sont terminées.',
      newApp: 'Nouvelle application d’authentification',
      useApp: 'Utiliser cette application',
      appEnds: 'Votre ancienne application ne fonctionnera plus et vos autres sessions seront terminées.',
      appChanged: 'La nouvelle application génère désormais vos codes. Toutes les autres sessions sont terminées.',
      codesLeft: 'Codes restants\u00a0: {count} sur {made}.',
      codesEnd: 'De nouveaux codes les remplacent tous.',
      makeCodes: 'Créer de nouveaux codes',
      confirm: 'Confirmez votre identité',
      confirmText:
        'Votre connexion en tant que {email} remonte à un certain temps. Avant de continuer, confirmez que c’est bien vous.',
      confirmCancel: 'Annuler',
      confirmCode: 'Code',
      confirmIt: 'Confirmer',
      usePasskey: 'Utiliser une clé d’accès',
      wrongProof: 'Le mot de passe ou le code est erroné. Chaque code ne sert qu’une fois.',
      tooMany: 'Trop de tentatives. Patientez quelques minutes, puis réessayez.',
      sendAgain:
        'Vous avez confirmé votre identité. Rien n’a encore été fait\u00a0: relisez votre saisie et envoyez-la à nouveau.',
    },
  },

  confirm: {
    button: 'Confirmer',
    mail: {
      asks: 'Pour confirmer, ouvrez ce lien et appuyez sur le bouton\u00a0:',
      lasts: 'Le lien est valable {days} jours.',
      ignore: 'Si vous n’avez pas envoyé ce formulaire, ignorez cet e-mail.',
    },
    question: {
      title: 'Veuillez confirmer',
      text: 'Appuyez sur le bouton pour confirmer ce que vous avez envoyé à ce site.',
      unkept: 'Votre confirmation n’a pas pu être enregistrée. Appuyez à nouveau sur le bouton dans un instant.',
    },
    done: {
      title: 'Merci',
      text: 'Votre confirmation nous est bien parvenue.',
    },
    ended: {
      title: 'Ce lien n’est plus valable',
      text: 'Il a expiré, ou votre envoi n’est plus conservé. Veuillez remplir à nouveau le formulaire pour recevoir un nouveau lien.',
    },
  },

  reply: {
    unsubscribe: 'Se désabonner',
    question: {
      title: 'Ne plus recevoir d’e-mails\u00a0?',
      text: 'Appuyez sur le bouton et ce site n’enverra plus de réponses automatiques à votre adresse.',
      button: 'Se désabonner',
      unkept: 'Votre demande n’a pas pu être enregistrée. Appuyez à nouveau sur le bouton dans un instant.',
    },
    done: {
      title: 'C’est fait',
      text: 'Vous ne recevrez plus de réponses automatiques de ce site.',
    },
  },

  report: {
    example: 'Ceci est un exemple, envoyé pour tester cette destination.',
    exampleMark: '[Exemple]',
    subject: '{account}\u00a0: {title}, {leads}',
    dates: '{dates} · fuseau horaire {zone}',
    zone: 'Fuseau horaire {zone}',
    madeOn: 'Établi le {date}.',
    words:
      'Une visite est tout ce que fait un navigateur jusqu’à une pause d’une demi-heure\u00a0; chaque page qu’il ouvre est une page vue. Un visiteur est un navigateur qui conserve son cookie. Une demande est un formulaire envoyé et accepté, hors doublons. Le taux de conversion est le nombre de demandes pour cent visites. Les robots qui se déclarent ne sont pas comptés.',
    wordsInShort:
      'Le taux de conversion est le nombre de demandes pour cent visites\u00a0; les robots qui se déclarent ne sont pas comptés.',
    week: 'Semaine {week}',
    weekOfYear: 'Semaine {week} de {year}',

    when: {
      months: [
        'en janvier',
        'en février',
        'en mars',
        'en avril',
        'en mai',
        'en juin',
        'en juillet',
        'en août',
        'en septembre',
        'en octobre',
        'en novembre',
        'en décembre',
      ],
      week: 'au cours de la semaine précédente',
      day: 'un jour plus tôt',
      days: { one: 'un jour plus tôt ({count})', other: 'au cours des {count} jours précédents' },
      dates: 'au cours de la période du {dates}',
      date: 'à la date du {date}',
    },

    change: {
      more: '{amount} de plus',
      fewer: '{amount} de moins',
      underPercent: 'moins de {percent}',
      same: 'sans changement',
      noneInBoth: 'zéro dans les deux cas',
      noneBefore: 'zéro avant',
      noneNow: 'zéro à présent',
      pointsMore: '{points} points de plus',
      pointsLess: '{points} points de moins',
      sameShare: 'sans changement',
    },

    summary: {
      nothing: 'Aucune visite et aucune demande.',
      plain: '{visits} et {leads}.',
      visitsCompared: '{visits} ({since}) et {leads}.',
      compared: '{visits} ({since}) et {leads} ({change}).',
      than: '{change} qu’{when}',
      same: 'autant qu’{when}',
      noneBefore: 'contre aucune {when}',
      noneInBoth: 'comme {when}',
      noneNow: 'contre {before} {when}',
      noVisits: 'Aucune visite',
      noLeads: 'aucune demande',
      bestSource: 'Meilleure source\u00a0: {name}, avec {leads}.',
      bestCampaign: 'Meilleure campagne\u00a0: {name}, avec {leads}.',
      mostViewed: 'Page la plus vue\u00a0: {page}, avec {views}.',
    },

    counted: {
      visits: { one: '{count} visite', other: '{count} visites' },
      views: { one: '{count} page vue', other: '{count} pages vues' },
      pageViews: { one: '{count} vue', other: '{count} vues' },
      leads: { one: '{count} demande', other: '{count} demandes' },
      clicks: { one: '{count} clic humain', other: '{count} clics humains' },
    },

    figures: {
      visitors: 'Visiteurs',
      visits: 'Visites',
      views: 'Pages vues',
      leads: 'Demandes',
      conversion: 'Taux de conversion',
      clicks: 'Clics humains',
      noVisits: 'Il n’y a eu aucune visite.',
      withoutVisit: {
        one: '{count} demande est arrivée sans visite connue.',
        other: '{count} demandes sont arrivées sans visite connue.',
      },
      moreThanVisits: 'Il y a eu plus de demandes que de visites.',
    },

    notes: {
      unfinished: 'Ces chiffres comprennent le {date}, une journée qui n’est pas terminée.',
      comparedWith:
        'Ils sont comparés aux chiffres relevés {when}\u00a0; pour le dernier jour, seules les mêmes heures sont prises en compte.',
      nothingYet: 'Rien n’a encore été compté.',
      beganLater: 'Le décompte n’a commencé que plus tard, le {date}.',
      began: 'Le décompte a commencé le {date}. Il n’y a pas de chiffres pour les jours précédents.',
      noEarlier:
        'Le décompte a commencé le {date}\u00a0; il n’existe donc pas de période antérieure complète à laquelle comparer.',
      lost: {
        one: '{count} page vue n’a pas pu être enregistrée et ne figure dans aucun chiffre.',
        other: '{count} pages vues n’ont pas pu être enregistrées et ne figurent dans aucun chiffre.',
      },
      waiting: {
        one: '{count} enregistrement est encore en cours de traitement et ne figure pas dans ces chiffres.',
        other: '{count} enregistrements sont encore en cours de traitement et ne figurent pas dans ces chiffres.',
      },
    },

    series: {
      byDay: '{figure} par jour',
      byWeek: '{figure} par semaine',
      byMonth: '{figure} par mois',
      highest: '{sum} au total\u00a0; maximum\u00a0: {label} ({most}).',
      grey: 'Ligne grise\u00a0: {when}.',
      line: '(ligne\u00a0: {when})',
      paleParts: 'Teinte claire\u00a0: période en cours ou affichée en partie.',
      part: 'partiel',
      figuresByDay: 'Chiffres par jour',
      upTo: 'jusqu’à {count}',
      tableByDay: 'En chiffres, par jour',
      tableByWeek: 'En chiffres, par semaine',
      tableByMonth: 'En chiffres, par mois',
      day: 'Jour',
      week: 'Semaine du',
      month: 'Mois',
      before: '{figure} {when}',
    },

    channels: {
      title: 'Ce qui fonctionne',
      untold: 'Nous ne pouvons pas encore dire d’où venaient ces demandes. Votre agence peut régler cela.',
      inBrackets: 'Entre parenthèses\u00a0: demandes pour cent visites.',
      sources: {
        title: 'Ce qui fonctionne, par source',
        by: 'Par source',
        heading: 'Source',
        more: { one: 'et {count} autre source', other: 'et {count} autres sources' },
        own: { direct: 'Accès direct', unknown: 'Source inconnue', '(other)': 'Autres sources' },
      },
      mediums: {
        title: 'Ce qui fonctionne, par support',
        by: 'Par support',
        heading: 'Support',
        more: { one: 'et {count} autre support', other: 'et {count} autres supports' },
        own: { none: 'Aucun', unknown: 'Inconnu', '(other)': 'Autres' },
      },
      campaigns: {
        title: 'Ce qui fonctionne, par campagne',
        by: 'Par campagne',
        heading: 'Campagne',
        more: { one: 'et {count} autre campagne', other: 'et {count} autres campagnes' },
        own: { '(none)': 'Aucune campagne', '(unknown)': 'Inconnue', '(other)': 'Autres campagnes' },
      },
      entryPages: {
        title: 'Ce qui fonctionne, par page d’entrée',
        by: 'Par page d’entrée',
        heading: 'Page d’entrée',
        more: { one: 'et {count} autre page d’entrée', other: 'et {count} autres pages d’entrée' },
        own: { unknown: 'Inconnue', '(other)': 'Autres pages' },
      },
      devices: {
        title: 'Ce qui fonctionne, par appareil',
        by: 'Par appareil',
        heading: 'Appareil',
        more: { one: 'et {count} autre appareil', other: 'et {count} autres appareils' },
        own: { phone: 'Téléphone', tablet: 'Tablette', desktop: 'Ordinateur', other: 'Autre' },
      },
    },

    lists: {
      forms: {
        title: 'Demandes par formulaire',
        heading: 'Formulaire',
        more: { one: 'et {count} autre formulaire', other: 'et {count} autres formulaires' },
        empty: 'Aucun formulaire n’a été envoyé.',
        gone: '{id} (n’existe plus)',
        repeats: {
          one: '{count} doublon d’une demande n’est pas compté ici.',
          other: '{count} doublons de demandes ne sont pas comptés ici.',
        },
      },
      pages: {
        title: 'Pages les plus vues',
        heading: 'Page',
        views: 'Vues',
        more: { one: 'et {count} autre page', other: 'et {count} autres pages' },
        empty: 'Aucune page de destination n’a été vue.',
        elsewhere: {
          one: '{count} autre page vue, sur d’autres sites web avec le script.',
          other: '{count} autres pages vues, sur d’autres sites web avec le script.',
        },
      },
      messages: {
        title: 'Clics par message',
        heading: 'Message',
        human: 'Humains',
        suspected: 'Suspects',
        machine: 'Machines',
        more: { one: 'et {count} autre message', other: 'et {count} autres messages' },
        none: 'Liens sans message',
        hint: 'Les filtres de messagerie suivent aussi les liens. Les clics qui viennent certainement d’eux sont sous «\u00a0Machines\u00a0», ceux qui peuvent en venir sous «\u00a0Suspects\u00a0».',
      },
    },

    goals: {
      title: 'Objectifs',
      heading: 'Objectif',
      more: { one: 'et {count} autre objectif', other: 'et {count} autres objectifs' },
      visitsBefore: 'Visites précédentes',
      ofAll: '%\u00a0des visites',
      times: 'Fois',
      form: 'Formulaire {name}',
      event: 'Événement {name}',
      since: '{name} est compté depuis le {date}\u00a0; sa part se rapporte aux visites depuis cette date.',
    },
    funnels: {
      title: 'Entonnoirs',
      step: 'Étape',
      more: { one: 'et {count} autre étape', other: 'et {count} autres étapes' },
      ofFirst: '%\u00a0de l’étape 1',
      nobody: 'Aucune visite n’a atteint la première étape.',
      reached: '{percent} des visites qui ont atteint la première étape ont aussi atteint la dernière.',
    },
    splits: {
      title: 'Versions des pages',
      titleOf: 'Versions de {page}',
      version: 'Version',
      more: { one: 'et {count} autre version', other: 'et {count} autres versions' },
      itself: '{name} (original)',
      fromTo: '{low} à {high}',
      verdict: 'Résultat\u00a0: {verdict}.',
      noDifference: 'pas encore de différence',
      tooEarly: 'trop tôt pour le dire',
      tooFew: 'Version {versions}. C’est trop peu pour comparer.',
      seen: '{name}\u00a0: {visits}',
      better: '{name} est meilleure {than}',
      betterThanSome: '{name} est meilleure {than}\u00a0; pas encore de différence avec {names}',
      than: 'que {name} (sur 100 visites, {low} à {high} de plus aboutissent à une demande)',
    },

    missing: {
      title: 'Adresses introuvables',
      address: 'Adresse',
      times: 'Fois',
      advice:
        'Il n’y a rien à ces adresses. Si un ancien lien y mène, une redirection mènerait les visiteurs à la bonne page.',
    },

    keptOut: {
      title: 'Ce qui a été écarté',
      inQuarantine: { one: '{count} message est retenu.', other: '{count} messages sont retenus.' },
      look: 'Voir la quarantaine',
      quarantine:
        'Ce qui semble venir d’un robot, ou que votre agence a écarté, ne compte pas comme demande. S’il vous en manque une, interrogez votre agence.',
      times: { one: '{what}\u00a0: {count} fois.', other: '{what}\u00a0: {count} fois.' },
      reasons: {
        unreadable: {
          what: 'Des données illisibles ont été envoyées',
          advice:
            'Il s’agit très probablement d’un programme et non d’un visiteur\u00a0: s’il est à vous, faites-le corriger.',
        },
        tooMuchAsked: {
          what: 'Une adresse IP a envoyé énormément en peu de temps',
          advice:
            'Le plus souvent, c’est un robot\u00a0; s’il s’agissait d’un bureau plein de visiteurs, faites relever la limite.',
        },
        tooMuchDownloaded: {
          what: 'Trop de téléchargements ont eu lieu à la fois',
          advice: 'Les gros fichiers sont peut-être mieux hébergés ailleurs.',
        },
        origin: {
          what: 'Un site web absent de la liste a envoyé des formulaires ou des événements',
          advice: 'S’il est à vous, faites-le ajouter aux sites autorisés.',
        },
        trackingKey: {
          what: 'Des événements sont arrivés sans la bonne clé de suivi',
          advice: 'Le script du site a besoin de la clé actuelle.',
        },
        form: {
          what: 'Une page a envoyé un formulaire qui n’existe pas ici',
          advice:
            'Elle indique un formulaire ancien ou mal orthographié\u00a0: faites corriger son identifiant sur la page.',
        },
        size: {
          what: 'Un formulaire dépassait la longueur autorisée',
          advice: 'Faites relever la limite, ou demandez moins de texte dans le formulaire.',
        },
        fileSize: {
          what: 'Un fichier joint à un formulaire dépassait la taille autorisée',
          advice: 'Faites relever la limite si vous souhaitez recevoir de tels fichiers.',
        },
        fileType: {
          what: 'Un fichier joint à un formulaire était d’un type non accepté',
          advice: 'Faites autoriser ce type si vous souhaitez recevoir de tels fichiers.',
        },
        fileField: {
          what: 'Une page a envoyé un fichier avec un formulaire qui n’en accepte pas à cet endroit',
          advice: 'La page et les réglages du formulaire nomment des champs différents\u00a0: faites-les comparer.',
        },
        uploadRoom: {
          what: 'Il n’y avait plus de place pour les fichiers joints à un formulaire',
          advice: 'Faites relever la limite ou supprimer d’anciens envois.',
        },
        scanner: {
          what: 'L’analyse antivirus de fichiers joints à un formulaire a échoué',
          advice: 'La personne qui exploite le service devrait vérifier son antivirus.',
        },
        storage: {
          what: 'Des données n’ont pas pu être enregistrées',
          advice: 'La personne qui exploite le service devrait vérifier son disque.',
        },
        noScript: {
          what: 'Un formulaire a été envoyé sans son script',
          advice:
            'Vérifiez que le script figure sur la page et se charge\u00a0; une adresse de contact aide les visiteurs qui l’ont désactivé.',
        },
      },
    },
  },
}
