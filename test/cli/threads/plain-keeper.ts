import type { FromThread, ToThread } from '../../../src/cli/threads/service-thread.ts'
import type { ChallengeShown, KeeperNotice, KeeperSettings } from '../../../src/https/keeper/targets.ts'

// A thread that keeps no certificates: it has one challenge shown, says so, and dies where it is told to.
declare const self: Worker

const post = (message: FromThread<KeeperNotice>) => self.postMessage(message)
const say = (message: string) => post({ log: { level: 'info', message, fields: {} } })

self.onmessage = ({ data }: MessageEvent<ToThread<KeeperSettings, ChallengeShown>>) => {
  if ('begin' in data) {
    say('begun')
    if (data.begin.contact === 'dies') throw new Error('a secret of the record')
    post({ show: { id: 7, token: 'a-token', keyAuthorization: 'its answer' } })
  } else if ('shown' in data) {
    say(`shown ${data.shown}`)
    post({ issued: { host: 'go.acme.dev', isRenewal: false } })
  } else {
    post({ hide: 'a-token' })
    post({ closed: true })
  }
}
