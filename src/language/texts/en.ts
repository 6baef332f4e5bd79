import { plural } from '../wording.ts'

/** English, and by its type what every other language has to say. */
export const en = {
  /** What the script says on a page; a form's `data-svc-message-…` overrides one (docs/script.md). */
  client: {
    accepted: 'Thank you, it has been sent.',
    unavailable: 'Sorry, it could not be sent. Please try again.',
    too_long: 'Not sent: this text has {length} characters, and about {max} fit. Please shorten it.',
    files: 'Not sent: this form takes no files. Send again to leave them out.',
    email: 'Please enter an email address.',
    bot_check: 'Please confirm that you are human.',
    file_type: 'Not sent: this field takes only {types}.',
    file_too_large: 'Not sent: the file is larger than {max}.',
    file_count: 'Not sent: please choose at most {count} files.',
    file_infected: 'Not sent: the file may contain malware. Please check it.',
  },

  /** A mail or chat message about leads (docs/mail.md, docs/chat.md). */
  leadMail: {
    wrote: '{who} wrote to you',
    visitor: 'A visitor',
    newMessage: 'a new message',
    newMessages: plural({ one: '{count} new message', other: '{count} new messages' }),
    answer: 'Reply to this email to write to {who}.',
    answerVisitor: 'Reply to this email to write to the visitor.',
    noAddress: 'The visitor left no address to reply to.',
    /** Before the subject of a test. */
    testMark: '[Test]',
    test: 'This is a test. Nobody sent it.',
    released: 'This was held back because it looked automated, and was then released by hand.',
    backfilled: 'This arrived before this delivery was set up, so it is sent only now.',
    moreFields: plural({ one: 'and {count} more field', other: 'and {count} more fields' }),
    /** Leads that did not fit into this mail. */
    further: plural({
      one: '{count} more message follows in the next email.',
      other: '{count} more messages follow in the next emails.',
    }),
    received: 'Received',
    page: 'Page',
    source: 'Source',
    /** Before their number. */
    files: 'Files',
    direct: 'direct',
    campaign: 'campaign {name}',
    /** In place of a field's name, where it has none. */
    nameless: '(no name)',
    /** The link to the console. */
    open: 'Open this message',
    sent: 'Sent from {domain}, delivery “{name}”.',
    /** Only where the account wants it. */
    credit: 'Sent with Capture.',
  },

  /** Pages of the box itself on an account's domain, and behind its preview links (docs/site-folder.md, "Small pages"). */
  smallPages: {
    home: 'Home page',
    contact: 'Contact:',
    nowhere: {
      title: 'Nothing here',
      text: 'There is no page at this address. Check the link you followed.',
    },
    notSent: {
      title: 'Nothing was sent',
      text: 'This form needs JavaScript, and your browser does not run it here. Nothing you entered has been sent or stored. Please go back, turn on JavaScript for this site, and send the form again.',
      orContact: 'Or get in touch directly:',
    },
    linkBroken: {
      title: 'This link does not work',
      text: 'It may have been cut off on its way to you. Try copying the whole link from the message.',
    },
    linkElsewhere: {
      title: 'This link leads elsewhere',
      text: 'It points to an address that this site does not forward to, so it stops here.',
    },
    linkOneMoreStep: {
      title: 'Just one more step',
      text: 'We could not forward you automatically just now. Please follow this link:',
    },
    previewWrong: {
      title: 'This preview link does not work',
      text: 'It was changed, was withdrawn, or was not copied in full. Ask whoever sent it to you to send it again.',
    },
    previewExpired: {
      title: 'This preview has expired',
      text: 'The link was right, and worked until {until}. Ask whoever sent it to you for a new one.',
    },
    previewForgotten: {
      title: 'This version is no longer kept',
      text: 'The link shows version {version}, which newer ones have replaced. Ask whoever sent it to you for a link to a later one.',
    },
    busy: {
      title: 'Back in a moment',
      text: 'This site is very busy right now. Try again in a few seconds.',
    },
    pageLost: {
      title: 'Back in a moment',
      text: 'This page cannot be shown right now.',
    },
    tooManyDownloads: {
      title: 'Too many downloads at once',
      text: 'Wait until one of your downloads has ended, then open this address again.',
    },
    reportGone: {
      title: 'This report is not available',
      text: 'The link has expired, was revoked, or was not copied in full. Ask whoever sent it to you for a new one.',
    },
  },

  /** The console as an agency's customer sees it (docs/your-leads.md). */
  console: {
    skip: 'Skip to content',
    menu: 'Menu',
    signOut: 'Sign out',
    signIn: 'Your sign-in',
    help: 'Help',
    accounts: 'Accounts',
    allAccounts: 'All accounts ({count})',
    switchAccount: 'switch account',
    onOneServer:
      'Your latest changes are saved on one server, and not yet on the others. If it failed now, they would be lost.',
    report: 'Report',
    leads: 'Leads',
    download: 'Download',
    picture: 'picture',
    period: {
      label: 'Period',
      '7d': '7 days',
      '30d': '30 days',
      month: 'This month',
      'last-month': 'Last month',
      custom: 'Custom',
      from: 'From',
      to: 'to',
      show: 'Show',
      noDays: 'Choose a first and a last day. The report shows the last 30 days.',
      reversed: 'The last day is before the first. The report shows the last 30 days.',
      future: 'These days are in the future. The report shows the last 30 days.',
    },
    /** In place of a report, before anything was counted. */
    emptyReport: {
      text: 'Figures appear here soon after the first visit. If there have been visits, tell your agency.',
      open: 'Open {page}',
    },
    masked: 'Names, contact details and long texts are hidden. Ask your agency to show them.',
    noLeads: 'No leads yet. New leads appear here automatically.',
    newLead: 'New lead',
    /** Beside a list that new leads are added to. */
    live: 'Live',
    notLive: 'Not live: no connection. New leads appear once it is back.',
    older: 'Older',
    lead: {
      cameFrom: 'Came from',
      download: 'Download as it was shown',
      all: 'All leads',
      newer: 'Newer',
      older: 'Older',
      nothing: 'No field was filled in.',
      call: 'Call',
      write: 'Write an email',
      files: 'Files',
      /** For customers who see leads masked. */
      filesHidden: plural({
        one: '{count} file. Your agency can open it.',
        other: '{count} files. Your agency can open them.',
      }),
      filesHint: 'A visitor sent this. Open it as you would an attachment from a stranger.',
      /** Of a box that was ticked, or not. */
      yes: 'yes',
      no: 'no',
      /** In place of an answer that customers do not see. */
      hidden: 'Hidden. Ask your agency to show them.',
    },
    /** Whoever has not signed in reads it in the language of the browser. */
    signingIn: {
      title: 'Sign in',
      address: 'Email address',
      codeHint: 'From your authenticator app, or one of your recovery codes.',
      codeAlone: 'Without a password, a recovery code is enough.',
      cannot: 'Cannot sign in? Ask whoever invited you for help.',
      wrong: 'Address, password or code is wrong. Each code works once.',
    },
    /** What the script of the pages says. */
    script: {
      offline: 'You are offline. Nothing was sent, and nothing is lost: send it again once you are connected.',
      retyped: 'Nothing has been done yet. What you typed is here again: check it, and send it again.',
      passkeyFailed: 'That did not work. Try again, or use your password.',
      selected: 'Selected: copy it yourself',
    },
    /** In place of a page. */
    messages: {
      nothingHere: {
        title: 'Nothing here',
        text: 'It was removed, the address is wrong, or you may not open it.',
      },
      signedOut: {
        title: 'Signed out',
        text: 'Your session has ended. Sign in and try again.',
      },
      notAllowed: {
        title: 'Not for your role',
        text: 'If you need this, ask somebody who may do it.',
      },
      notForClients: {
        title: 'You cannot open this page',
        text: 'If you need this, ask your agency.',
      },
      /** A lead that is in quarantine. */
      heldBack: {
        title: 'Held back',
        text: 'This seemed to come from a bot, or was refused by hand, so it is no lead. Your agency can release it.',
      },
      crossSite: {
        title: 'Not from here',
        text: 'Another website sent this form. Open the console yourself and try again.',
      },
      failed: {
        title: 'That failed',
        text: 'The console could not answer. Try again. If it fails again, tell whoever gave you access.',
      },
      busy: {
        title: 'Too many tries',
        text: 'Wait a few minutes, then try again. A passkey works meanwhile.',
      },
      gone: {
        title: 'This link no longer works',
        text: 'An invitation works once, within 24 hours. Ask whoever invited you for a new one.',
      },
      lastAdmin: {
        title: 'You are the last admin',
        text: 'The account would have no admin left. Make somebody else an admin first, then open the link again.',
      },
      tooLarge: {
        title: 'Too large',
        text: 'This page does not accept that much. Go back and send less.',
      },
      onceMore: {
        title: 'One moment',
        text: 'Opening the console …',
      },
    },
    toConsole: 'Open Capture',
    /** From a message in place of an item to the list of its kind. */
    backTo: 'Back to {page}',
    /** A new user's first page, and their recovery codes. */
    entry: {
      title: 'Welcome to Capture',
      invited: 'You were invited as {email}.',
      invitedBy: 'Invited by {by}.',
      access: 'Access: {access}.',
      accept: 'Accept',
      setPassword: 'Set the password and sign in',
      passkey: 'With a passkey',
      passkeyText: 'Your fingerprint, face or screen lock signs you in. There is no password to remember.',
      createPasskey: 'Create a passkey',
      orPassword: 'Or with a password',
      password: 'Password',
      passwordHint: 'At least {count} characters. Four random words make a good password.',
      repeat: 'Repeat the password',
      app: 'Authenticator app',
      scan: 'Open or scan this key with an app such as Aegis, 1Password or Google Authenticator, then type the code that it shows.',
      picture: 'The key for the app as a QR code; it is shown as text below',
      openApp: 'Open in an app on this device',
      scanElsewhere: 'Scan it with another device',
      orKey: 'Or type the key:',
      code: 'Code from the app',
      codesTitle: 'Keep these codes',
      codes: 'Recovery codes',
      codesForApp: 'Each code signs you in once without the app.',
      codesForPasskey:
        'Each code signs you in once without the passkey: type your address and the code, and no password.',
      shownOnce: 'They are not shown again: print them, or save them in your password manager.',
      saved: 'I have saved them',
      copy: 'Copy',
      copied: 'Copied',
      download: 'Download',
      print: 'Print',
      passwordsDiffer: 'The two passwords do not match.',
      wrongCode: 'This is not the code that the app shows now. Check that the clock of your phone is right.',
      wrongPasskey: 'The passkey was not accepted. Create it again, or choose a password.',
      newAccess: 'New access: {access}. You sign in as before.',
      signInFirst: 'You have signed in here before. Sign in as {email} to accept.',
      /** Why a password is refused. */
      passwordFaults: {
        short: 'Use at least {count} characters: four random words are better than one word with digits.',
        long: 'Use at most {count} characters.',
        poor: 'Use a greater variety of characters.',
        address: 'Do not use your address in the password.',
        common: 'Many people use this password, so it is tried first. Four random words are better.',
        names: 'Do not build the password from names of accounts, websites or Capture: they are tried first.',
      },
    },
    /** A user's own sign-in: password, app, codes, passkeys, sessions. */
    me: {
      secrets: 'Password and codes',
      passwordSet: 'Set',
      appOn: 'On',
      notSet: 'Not set',
      changePassword: 'Change the password',
      otherApp: 'Use another app',
      left: plural({ one: '{count} left', other: '{count} left' }),
      newCodes: 'Make new ones',
      passkeys: 'Passkeys',
      aboutPasskeys: 'A passkey signs you in with your fingerprint, face or screen lock, without a password or code.',
      /** At an IP address; `{host}`: the console's name. */
      passkeysAt: 'Passkeys work only at {host}.',
      /** The same, where the console has no name. */
      noPasskeysHere: 'Passkeys cannot be used at this address.',
      passkeyName: 'Name of the new passkey',
      passkeyExample: 'Phone',
      addPasskey: 'Add a passkey',
      sessions: 'Sessions',
      endOthers: 'End all other sessions',
      passkey: 'Passkey',
      added: 'Added',
      lastUsed: 'Last used',
      never: 'never',
      remove: 'Remove',
      browser: 'Browser',
      otherBrowser: 'Another browser',
      thisBrowser: 'This browser',
      from: 'From',
      end: 'End',
      now: 'now',
      sessionEnded: 'Ended the session.',
      othersEnded: 'Ended all other sessions.',
      passkeyRemoved: 'Removed the passkey, and ended all other sessions.',
      passkeyAdded: 'Added the passkey.',
      onlyPasskey: 'You sign in with this passkey alone. Add another one first, or set a password and an app.',
      currentPassword: 'Current password',
      wrongCurrent: 'The current password is wrong.',
      forgot: 'If you forgot it, confirm who you are with a passkey instead',
      newPasswordField: 'New password',
      repeatNew: 'Repeat the new password',
      changeIt: 'Change the password',
      othersEnd: 'Your other sessions end.',
      passwordChanged: 'Changed the password, and ended all other sessions.',
      newApp: 'New authenticator app',
      useApp: 'Use this app',
      appEnds: 'Your former app stops working, and your other sessions end.',
      appChanged: 'The new app makes your codes now. All other sessions ended.',
      codesLeft: '{count} of {made} codes left.',
      codesEnd: 'New codes replace all of them.',
      makeCodes: 'Make new codes',
      confirm: 'Confirm who you are',
      confirmText: 'You signed in as {email} a while ago.',
      confirmCancel: 'Cancel',
      confirmCode: 'Code',
      recoveryCode: 'Recovery code',
      confirmIt: 'Confirm',
      usePasskey: 'Use a passkey',
      wrongProof: 'Password or code is wrong. Each code works once.',
      wrongRecoveryCode: 'The code is wrong. Each code works once.',
      tooMany: 'Too many tries. Wait a few minutes, then try again.',
      /** Above a form that has waited for this. */
      sendAgain: 'You have confirmed who you are. Nothing has been done yet: check what you typed, and send it again.',
    },
  },

  /** The mail that asks a visitor to confirm a submission, and the page behind its link (docs/confirmed-leads.md). */
  confirm: {
    button: 'Confirm',
    mail: {
      /** Stands before the link. */
      asks: 'To confirm, open this link and press the button:',
      lasts: 'The link works for {days} days.',
      ignore: 'If you did not send this form, you can ignore this email.',
    },
    question: {
      title: 'Please confirm',
      text: 'Press the button to confirm what you sent to this site.',
      /** In place of the text, when the confirmation could not be stored. */
      unkept: 'Your confirmation could not be saved just now. Please press the button again in a moment.',
    },
    done: {
      title: 'Thank you',
      text: 'Your confirmation has arrived.',
    },
    ended: {
      title: 'This link no longer works',
      text: 'It has expired, or what you sent is no longer stored. Please fill in the form again to get a new link.',
    },
  },

  /** What Capture adds to automatic replies, and the page behind their opt-out link (docs/replies.md). */
  reply: {
    unsubscribe: 'Unsubscribe',
    question: {
      title: 'No more emails?',
      text: 'Press the button and this site will send no more automatic replies to your address.',
      button: 'Unsubscribe',
      /** In place of the text, when the request could not be stored. */
      unkept: 'This could not be saved just now. Please press the button again in a moment.',
    },
    done: {
      title: 'Done',
      text: 'You will get no more automatic replies from this site.',
    },
  },

  /** A report for an account's owner, as a page, a mail and pictures (docs/reports.md). */
  report: {
    example: 'This is an example, sent to test this destination.',
    /** Before the subject of an example. */
    exampleMark: '[Example]',
    subject: '{account}: {title}, {leads}',
    dates: '{dates} · time zone {zone}',
    zone: 'Time zone {zone}',
    madeOn: 'Made on {date}.',
    words:
      'A visit is everything that one browser does until it pauses for half an hour; each page that it opens is a page view. A visitor is a browser that keeps its cookie. A lead is a form that was sent and accepted, without repeats. Conversion is the number of leads per hundred visits. Bots that identify themselves do not count.',
    wordsInShort: 'Conversion is the number of leads per hundred visits; bots that identify themselves do not count.',
    week: 'Week {week}',
    weekOfYear: 'Week {week} of {year}',

    /** The time that a sentence compares with; it stands after a number, or after "more than". */
    when: {
      months: [
        'in January',
        'in February',
        'in March',
        'in April',
        'in May',
        'in June',
        'in July',
        'in August',
        'in September',
        'in October',
        'in November',
        'in December',
      ],
      week: 'the week before',
      day: 'the day before',
      days: plural({ one: 'in the {count} day before', other: 'in the {count} days before' }),
      /** A part of a period: `on 1–9 September`. */
      dates: 'on {dates}',
      date: 'on {date}',
    },

    /** How a figure differs from that of the period before. `{amount}`: `3`, `12%` or `under 1%`. */
    change: {
      more: '{amount} more',
      fewer: '{amount} fewer',
      underPercent: 'under {percent}',
      same: 'as many',
      noneInBoth: 'none in both',
      noneBefore: 'none before',
      noneNow: 'none now',
      pointsMore: '{points} points more',
      pointsLess: '{points} points less',
      sameShare: 'the same',
    },

    summary: {
      nothing: 'No visits and no leads.',
      plain: '{visits} and {leads}.',
      /** `{since}` is one of the five below. */
      visitsCompared: '{visits}, {since}, and {leads}.',
      compared: '{visits}, {since}, and {leads}, {change}.',
      than: '{change} than {when}',
      same: 'as many as {when}',
      noneBefore: 'none {when}',
      noneInBoth: 'as {when}',
      noneNow: '{before} {when}',
      noVisits: 'No visits',
      noLeads: 'no leads',
      bestSource: 'Best source: {name} with {leads}.',
      bestCampaign: 'Best campaign: {name} with {leads}.',
      mostViewed: 'Most viewed page: {page} with {views}.',
    },

    /** Numbers with their nouns. */
    counted: {
      visits: plural({ one: '{count} visit', other: '{count} visits' }),
      views: plural({ one: '{count} page view', other: '{count} page views' }),
      /** Of one page. */
      pageViews: plural({ one: '{count} view', other: '{count} views' }),
      leads: plural({ one: '{count} lead', other: '{count} leads' }),
      clicks: plural({ one: '{count} human click', other: '{count} human clicks' }),
    },

    /** What is measured, as a heading. */
    figures: {
      visitors: 'Visitors',
      visits: 'Visits',
      views: 'Page views',
      leads: 'Leads',
      conversion: 'Conversion',
      clicks: 'Human clicks',
      noVisits: 'There were no visits.',
      withoutVisit: plural({
        one: '{count} lead came without a known visit.',
        other: '{count} leads came without a known visit.',
      }),
      moreThanVisits: 'There were more leads than visits.',
    },

    notes: {
      unfinished: '{date} is not over yet.',
      comparedWith: 'These figures are compared with those {when}, of whose last day only the same hours count.',
      nothingYet: 'Nothing has been counted yet.',
      beganLater: 'Counting began later, on {date}.',
      began: 'Counted since {date}.',
      noEarlier: 'Counted since {date}: there is no full earlier period to compare with.',
      lost: plural({
        one: '{count} page view could not be stored and is in no figure.',
        other: '{count} page views could not be stored and are in no figure.',
      }),
      waiting: plural({
        one: '{count} record is still being processed and not in these figures.',
        other: '{count} records are still being processed and not in these figures.',
      }),
    },

    /** Figures over time. */
    series: {
      byDay: '{figure} by day',
      byWeek: '{figure} by week',
      byMonth: '{figure} by month',
      highest: '{sum} in all, most of them in {label} ({most}).',
      grey: 'Grey line: {when}.',
      line: '(line: {when})',
      paleParts: 'Pale: not over, or not shown whole.',
      /** Beside a day, week or month that is not over, or not shown whole. */
      part: 'part',
      figuresByDay: 'Figures by day',
      upTo: 'up to {count}',
      tableByDay: 'In figures, by day',
      tableByWeek: 'In figures, by week',
      tableByMonth: 'In figures, by month',
      day: 'Day',
      week: 'Week from',
      month: 'Month',
      /** `Visits in September` */
      before: '{figure} {when}',
    },

    /** What brought visits and leads. `own`: the names that Capture gives, by how they are stored. */
    channels: {
      title: 'What works',
      /** In place of the tables, where no lead has a known visit. */
      untold: 'We cannot tell yet where these leads came from. Your agency can set this up.',
      inBrackets: 'In brackets: leads per hundred visits.',
      sources: {
        title: 'What works, by source',
        by: 'By source',
        heading: 'Source',
        more: plural({ one: 'and {count} more source', other: 'and {count} more sources' }),
        own: { direct: 'Direct', unknown: 'Unknown', '(other)': 'Other sources' },
      },
      mediums: {
        title: 'What works, by medium',
        by: 'By medium',
        heading: 'Medium',
        more: plural({ one: 'and {count} more medium', other: 'and {count} more mediums' }),
        own: { none: 'None', unknown: 'Unknown', '(other)': 'Others' },
      },
      campaigns: {
        title: 'What works, by campaign',
        by: 'By campaign',
        heading: 'Campaign',
        more: plural({ one: 'and {count} more campaign', other: 'and {count} more campaigns' }),
        own: { '(none)': 'No campaign', '(unknown)': 'Unknown', '(other)': 'Other campaigns' },
      },
      entryPages: {
        title: 'What works, by entry page',
        by: 'By entry page',
        heading: 'Entry page',
        more: plural({ one: 'and {count} more entry page', other: 'and {count} more entry pages' }),
        own: { unknown: 'Unknown', '(other)': 'Other pages' },
      },
      devices: {
        title: 'What works, by device',
        by: 'By device',
        heading: 'Device',
        more: plural({ one: 'and {count} more device', other: 'and {count} more devices' }),
        own: { phone: 'Phone', tablet: 'Tablet', desktop: 'Desktop', other: 'Other' },
      },
    },

    /** Names with their figures. `more`: the names that are not shown. */
    lists: {
      forms: {
        title: 'Leads by form',
        heading: 'Form',
        more: plural({ one: 'and {count} more form', other: 'and {count} more forms' }),
        empty: 'No form was sent.',
        gone: '{id} (no longer there)',
        repeats: plural({
          one: '{count} repeat of a lead is not counted here.',
          other: '{count} repeats of a lead are not counted here.',
        }),
      },
      pages: {
        title: 'Most viewed pages',
        heading: 'Page',
        views: 'Views',
        more: plural({ one: 'and {count} more page', other: 'and {count} more pages' }),
        empty: 'No landing page was viewed.',
        elsewhere: plural({
          one: '{count} other page view: on other websites with the script.',
          other: '{count} other page views: on other websites with the script.',
        }),
      },
      messages: {
        title: 'Clicks by message',
        heading: 'Message',
        human: 'Human',
        suspected: 'Suspected',
        machine: 'Machine',
        more: plural({ one: 'and {count} more message', other: 'and {count} more messages' }),
        none: 'Links without a message',
        hint: 'Mail filters follow links too. Clicks that are certainly theirs are under “Machine”, possible ones under “Suspected”.',
      },
    },

    goals: {
      title: 'Goals',
      heading: 'Goal',
      more: plural({ one: 'and {count} more goal', other: 'and {count} more goals' }),
      visitsBefore: 'Visits before',
      ofAll: 'Of all visits',
      times: 'Times',
      form: 'Form {name}',
      event: 'Event {name}',
      since: '{name} is counted since {date}; its share is that of the visits since then.',
    },
    funnels: {
      title: 'Funnels',
      step: 'Step',
      more: plural({ one: 'and {count} more step', other: 'and {count} more steps' }),
      ofFirst: 'Of first',
      nobody: 'No visit reached the first step.',
      reached: '{percent} of the visits that reached the first step also reached the last.',
    },
    splits: {
      title: 'Variants of pages',
      titleOf: 'Variants of {page}',
      version: 'Variant',
      more: plural({ one: 'and {count} more variant', other: 'and {count} more variants' }),
      itself: '{name} (the original)',
      fromTo: '{low} to {high}',
      verdict: 'Result: {verdict}.',
      noDifference: 'no difference yet',
      /** In place of the conversion of a variant with too few visits. */
      tooEarly: 'too early to say',
      /** In place of all variants, where two have too few visits. */
      tooFew: 'Variant {versions}. Too few to compare.',
      /** Within `{versions}`: the first with the word for visits. */
      seen: '{name}: {visits}',
      /** `{than}`: one or several of `than`, as a list. */
      better: '{name} is better {than}',
      betterThanSome: '{name} is better {than}; no difference yet to {names}',
      than: 'than {name} (of 100 visits, {low} to {high} more bring a lead)',
    },

    missing: {
      title: 'Asked for and not found',
      address: 'Address',
      times: 'Times',
      advice: 'Nothing is at these addresses. If an old link leads to one, a redirect would lead its visitors on.',
    },

    keptOut: {
      title: 'What was kept out',
      inQuarantine: plural({ one: '{count} message is held back.', other: '{count} messages are held back.' }),
      /** The way there, for whoever may release. */
      look: 'Look at quarantine',
      quarantine:
        'What seems to come from a bot, or was set aside by your agency, does not count as a lead. If you miss one, ask your agency.',
      times: plural({ one: '{what}: {count} time.', other: '{what}: {count} times.' }),
      reasons: {
        unreadable: {
          what: 'Data arrived that could not be read',
          advice: 'It is most likely a program, not a visitor: if it is yours, have it corrected.',
        },
        tooMuchAsked: {
          what: 'One address sent a great deal in a short time',
          advice: 'Usually that is a bot; if it was an office full of visitors, have the limit raised.',
        },
        tooMuchDownloaded: {
          what: 'Too much was downloaded at once',
          advice: 'Large files may be better kept elsewhere.',
        },
        origin: {
          what: 'A website that is not on the list sent forms or events',
          advice: 'If it is yours, have it added to the allowed websites.',
        },
        trackingKey: {
          what: 'Events came without the right tracking key',
          advice: 'The script on the website needs the current key.',
        },
        form: {
          what: 'A page sent a form that does not exist here',
          advice: 'It names an old or misspelt form: have the form’s id on the page corrected.',
        },
        size: {
          what: 'A form was longer than is accepted',
          advice: 'Have the limit raised, or ask for less text in the form.',
        },
        fileSize: {
          what: 'A file with a form was larger than is accepted',
          advice: 'Have the limit raised, if you want such files.',
        },
        fileType: {
          what: 'A file with a form was of a type that is not accepted',
          advice: 'Have the type allowed, if you want such files.',
        },
        fileField: {
          what: 'A page sent a file with a form that takes none there',
          advice: 'The page and the form’s settings name different fields: have them compared.',
        },
        uploadRoom: {
          what: 'There was no room for files with a form',
          advice: 'Have the limit raised, or old submissions removed.',
        },
        scanner: {
          what: 'Files with a form could not be scanned for malware',
          advice: 'Whoever runs the service should look at its scanner.',
        },
        storage: {
          what: 'Something could not be stored',
          advice: 'Whoever runs the service should look at its disk.',
        },
        noScript: {
          what: 'A form was sent without its script',
          advice:
            'See that the script is on the page and loads; a contact address helps visitors who have switched it off.',
        },
      },
    },
  },
}

export type Texts = typeof en
export type ReportTexts = Texts['report']
