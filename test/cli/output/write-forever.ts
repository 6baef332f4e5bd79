import { standardError, standardOutput } from '../../../src/cli/output/streams.ts'

// Writes until its reader has gone, and names the error that tells it.
const out = standardOutput()
try {
  for (;;) await out.write('x'.repeat(65_536))
} catch (error) {
  standardError().write(error instanceof Error ? error.name : 'no error')
}
