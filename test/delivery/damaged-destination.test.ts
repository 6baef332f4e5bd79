import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { Receiver } from '../harness/receiver.ts'

test(
  'a destination whose address is damaged holds up no other',
  async () => {
    await using receiver = new Receiver()
    const deliveries = ['aaa', 'bbb'].map((name) => ({ name, kind: 'webhook', url: receiver.url(`/${name}`) }))
    const box = await Box.start([aSite({ deliveries })], { delivery: { allow_private: ['127.0.0.0/8'] } })
    const database = new Database(join(box.dir, 'data/capture.db'))
    database.run('PRAGMA busy_timeout = 60000')
    database.run(
      `UPDATE destination SET definition = json_set(definition, '$.url', 'sealed:damaged') WHERE name = 'aaa'`,
    )
    database.close()
    await box.send(formRequest({ fields: { email: 'ada@example.test' } }))
    expect((await receiver.got(1)).map(({ path }) => path)).toEqual(['/bbb'])
    expect(box.complaints.splice(0).join('\n')).toContain('the address of aaa of account ')
    await box.stop()
  },
  boxStartMsMax,
)
