import { table } from './report-table.ts'
import type { HttpsResult } from './section-https.ts'

/** Nothing where the section did not run. */
export function httpsTables(https?: HttpsResult): string[] {
  return https === undefined ? [] : [pathsTable(https), handshakesTable(https)]
}

const pathsTable = ({ paths }: HttpsResult): string =>
  table(
    [
      'Over https, kept alive',
      'Bare https /s',
      'Capture https /s',
      'Ratio to bare',
      'Capture http /s',
      'Ratio to http',
    ],
    paths.map(({ path, bare, secure, plain, ratioToBare, ratioToPlain }) => [
      path.title,
      whole(bare.requestsPerSecond),
      whole(secure.requestsPerSecond),
      ratioToBare.toFixed(2),
      whole(plain.requestsPerSecond),
      ratioToPlain.toFixed(2),
    ]),
  )

const handshakesTable = ({ handshakes }: HttpsResult): string =>
  table(
    ['New connections, TLS 1.3, ECDSA P-256', 'Bare /s', 'Capture /s', 'Bare CPU each', 'Capture CPU each'],
    handshakes.map(({ certificates, bare, measured }) => [
      certificates === 1 ? '1 certificate' : `${certificates} certificates`,
      whole(bare.perSecond),
      whole(measured.perSecond),
      `${bare.serverMs.toFixed(2)} ms`,
      `${measured.serverMs.toFixed(2)} ms`,
    ]),
  )

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
