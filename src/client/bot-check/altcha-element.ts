// The file `/_svc/b/altcha.js`: ALTCHA's widget in the languages of Europe, with a solver of ours.
import 'altcha/external'
import 'altcha/i18n/europe'
import { solverInPage } from './solver.ts'

// A browser only starts workers from the page's own origin, which is another one. WebCrypto hashes off the page's
// thread anyway.
globalThis.$altcha.algorithms.set('PBKDF2/SHA-256', () => solverInPage() as unknown as Worker)
