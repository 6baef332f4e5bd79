import type { Ran } from '../../harness/capture-command.ts'
import { runProgram } from './program.ts'

/** One handshake by `openssl s_client`, which speaks what no library of a runtime does; `stdin`: what is typed into it. */
export const opensslHandshake = (port: number, options: string[], stdin = 'echo'): Promise<Ran> =>
  runProgram(['-c', `(${stdin}) | openssl s_client -connect 127.0.0.1:${port} ${options.join(' ')}`], {
    executable: '/bin/sh',
    cwd: '/',
  })
