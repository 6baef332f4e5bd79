import type { VisitorTexts } from './texts.ts'

export const texts: VisitorTexts = {
  accepted: 'Bedankt, het formulier is verzonden.',
  unavailable: 'Het verzenden is helaas niet gelukt. Probeert u het alstublieft opnieuw.',
  too_long:
    'Niet verzonden: deze tekst telt {length} tekens en er passen er ongeveer {max}. Maakt u de tekst alstublieft korter.',
  files:
    'Niet verzonden: met dit formulier kunt u geen bestanden versturen. Verzend het opnieuw om het zonder bestanden te versturen.',
  email: 'Vul een e-mailadres in.',
  bot_check: 'Bevestig dat u geen robot bent.',
}
