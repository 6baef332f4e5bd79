import { describe, expect, test } from 'bun:test'
import { type Command, defineCommand, usageError } from '../../src/cli/command.ts'
import { runCommandLine } from '../../src/cli/command-line.ts'
import { OutputClosed } from '../../src/cli/output/streams.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'
import { type FakeWorld, fakeWorld } from './fake-world.ts'

/** A command that prints what it was given. */
const echo = defineCommand({
  name: 'echo',
  summary: 'Prints what it was given',
  details: 'An example stands here.',
  args: { word: { summary: 'a word' }, kind: { summary: 'a kind', optional: true, choices: ['loud', 'low'] } },
  options: { dryRun: { summary: 'only try' }, out: { value: 'FILE', summary: 'where to' } },
  printsResult: true,
  async run(input, { out }) {
    await out.write(JSON.stringify(input))
    return 0
  },
})

const failing = (error: unknown): Command => ({ ...echo, name: 'fail', args: {}, run: () => Promise.reject(error) })

interface Ran extends FakeWorld {
  status: number
}

async function run(argv: string[], commands: Command[] = [echo], env: Record<string, string> = {}): Promise<Ran> {
  const world = fakeWorld({ argv, env })
  return { ...world, status: await runCommandLine(world, commands) }
}

describe('a command', () => {
  test('gets its arguments and options', async () => {
    const { printed } = await run(['echo', 'hi', 'loud', '--dry-run', '--out', 'x.txt', '--json'])
    expect(JSON.parse(printed.out)).toEqual({
      args: { word: 'hi', kind: 'loud' },
      options: { dryRun: true, out: 'x.txt' },
      json: true,
    })
  })

  test('gets `false` and nothing for options that were not given', async () => {
    const { printed } = await run(['echo', 'hi'])
    expect(JSON.parse(printed.out)).toEqual({ args: { word: 'hi' }, options: { dryRun: false }, json: false })
  })

  test('decides its exit status', async () => {
    expect((await run(['fail'], [{ ...failing(null), run: () => Promise.resolve(1) }])).status).toBe(1)
  })

  test.each([[['fail', '--config', 'there.toml']], [['--config', 'there.toml', 'fail']]])(
    'reads the configuration that %j names',
    async (argv) => {
      const reading = {
        ...failing(null),
        run: async (_: unknown, session: { loadConfig(): Promise<unknown> }) => {
          await session.loadConfig()
          return 0 as const
        },
      }
      expect((await run(argv, [reading])).printed.err).toContain('there.toml')
    },
  )

  test('hears the warnings of the configuration once', async () => {
    const reading = {
      ...failing(null),
      run: async (_: unknown, session: { loadConfig(): Promise<unknown> }) => {
        await session.loadConfig()
        await session.loadConfig()
        return 0 as const
      },
    }
    const { printed } = await run(['fail'], [reading], { CAPTURE_LOG_LEVL: 'debug' })
    expect(printed.err.match(/^Warning: .*CAPTURE_LOG_LEVL/gm)?.length).toBe(1)
  })
})

describe('wrong usage exits with 2 and says on stderr what is wrong:', () => {
  test.each([
    ['an unknown command', ['ecko', 'hi'], 'Did you mean echo?'],
    ['an unknown option', ['echo', 'hi', '--dry-rum'], 'Did you mean --dry-run?'],
    ['a missing argument', ['echo'], "missing required argument 'WORD'"],
    ['a superfluous argument', ['echo', 'hi', 'loud', 'more'], 'too many arguments'],
    ['a word outside the choices', ['echo', 'hi', 'high'], 'Allowed choices are loud, low'],
    ['an option without its value', ['echo', 'hi', '--out'], 'argument missing'],
    ['no command', [], 'Usage: capture'],
    ['help on an unknown command', ['help', 'ecko'], 'Did you mean echo?'],
  ])('%s', async (_name, argv, message) => {
    const { status, printed } = await run(argv)
    expect({ status, out: printed.out, err: printed.err }).toEqual({
      status: 2,
      out: '',
      err: expect.stringContaining(message),
    })
  })

  const named = (...names: string[]): Command[] => names.map((name) => ({ ...echo, name }))

  test.each([
    [['remove', 'one'], 'remove', '(Did you mean account remove?)'],
    [['list', 'acme'], 'list', '(Did you mean one of account list, page list?)'],
    [['help', 'remove'], 'remove', '(Did you mean account remove?)'],
    [['restor', 'x'], 'restor', '(Did you mean restore?)'],
    [['account', 'remov', 'x'], 'remov', '(Did you mean remove?)'],
    [['frobnicate'], 'frobnicate', '(capture help lists every command)'],
    [['help', 'frobnicate'], 'frobnicate', '(capture help lists every command)'],
  ])('%j, where %s is no command, with the one that was meant or where all stand', async (argv, word, advice) => {
    const commands = named('report', 'restore', 'serve', 'account list', 'account remove', 'page list')
    const { status, printed } = await run(argv, commands)
    expect([status, printed.err]).toEqual([2, `error: unknown command '${word}'\n${advice}\n`])
  })

  test.each(['-x@b.example', '--x@b.example'])('the address %s, which was taken for an option', async (address) => {
    const { status, printed } = await run(['echo', address])
    expect([status, printed.err]).toEqual([
      2,
      expect.stringContaining(`stands last, and -- before it: … -- ${address})`),
    ])
    const { out } = (await run(['echo', '--dry-run', '--', address])).printed
    expect(JSON.parse(out)).toMatchObject({ args: { word: address } })
    expect((await run(['echo', '-x'])).printed.err).not.toContain('address')
  })

  test('what the command itself refuses', async () => {
    expect((await run(['fail'], [failing(usageError('no'))])).status).toBe(2)
  })

  test('without passing on what could steer the terminal', async () => {
    expect((await run(['\u001b[2J'])).printed.err).not.toContain('\u001b')
  })
})

describe('a failure', () => {
  test('that the operator can mend exits with 1 and is printed as it is', async () => {
    const { status, printed } = await run(['fail'], [failing(new OperatorError('Do this.\n  And that.'))])
    expect({ status, ...printed }).toEqual({ status: 1, out: '', err: 'Do this.\n  And that.\n' })
  })

  test('that is a bug exits with 1, in one line and without a stack', async () => {
    const { status, printed } = await run(['fail'], [failing(new TypeError('x is not\u001b a function'))])
    expect(status).toBe(1)
    expect(printed.err.split('\n')[0]).toBe('internal error: TypeError: x is not\\u001b a function')
    expect(printed.err).not.toContain('command-line.test.ts')
  })

  test('that is a bug says how to report it', async () => {
    expect((await run(['fail'], [failing(new Error('x'))])).printed.err).toContain('Please report it')
  })

  test('that is a bug shows its stack when debugging', async () => {
    const { printed } = await run(['fail'], [failing(new Error('x'))], { CAPTURE_LOG_LEVEL: 'debug' })
    expect(printed.err).toContain('command-line.test.ts')
  })

  test('that is no error at all is told as well', async () => {
    expect((await run(['fail'], [failing('just text')])).printed.err).toContain('internal error: just text')
  })
})

test('a reader who has gone is no failure', async () => {
  const { status, printed } = await run(['fail'], [failing(new OutputClosed())])
  expect({ status, err: printed.err }).toEqual({ status: 0, err: '' })
})

test('a reader who has gone keeps neither the notes nor the exit status from a result', async () => {
  const found = {
    ...failing(null),
    run: async () => ({ text: 'Found.', notes: ['Look at this.'], exitStatus: 1 as const }),
  }
  const world = fakeWorld({ argv: ['fail'] })
  world.out.write = () => Promise.reject(new OutputClosed())
  expect(await runCommandLine(world, [found])).toBe(1)
  expect(world.printed.err).toBe('Look at this.\n')
})

describe('help', () => {
  const pair = [echo, { ...echo, name: 'key new', summary: 'Mints' }]

  test('lists every command by its full name, with its arguments', async () => {
    const { printed } = await run(['help'], pair)
    expect(printed.out).toMatch(/^ {2}echo <WORD> \[KIND\] +Prints what it was given\n {2}key new <WORD> /m)
  })

  test('goes to stdout with exit status 0', async () => {
    const { status, printed } = await run(['help'], pair)
    expect({ status, err: printed.err }).toEqual({ status: 0, err: '' })
  })

  test.each([[['help', 'echo']], [['echo', '--help']], [['help', 'echo', 'more']]])(
    'on a command says how it is used: %j',
    async (argv) => {
      const { printed } = await run(argv)
      expect(printed.out).toMatch(/^Usage: capture echo .*--dry-run.*--json.*--config.*An example stands here\./s)
    },
  )

  test('on a command of two words says how that one is used', async () => {
    expect((await run(['help', 'key', 'new'], pair)).printed.out).toStartWith('Usage: capture key new')
  })

  test('on the first of two words lists what may follow it', async () => {
    const group = [...pair, { ...echo, name: 'key rotate', summary: 'Rotates' }]
    const { printed } = await run(['key', '--help'], group)
    expect(printed.out).toMatch(/^ {2}key new <WORD> .*\n(?:.*\n)* {2}key rotate <WORD> /m)
    expect(printed.out).not.toContain('echo')
  })

  test('for a second word that is none names the one that was probably meant', async () => {
    const { status, printed } = await run(['key', 'nww', 'x'], pair)
    expect({ status, err: printed.err }).toEqual({ status: 2, err: expect.stringContaining('Did you mean new?') })
  })

  test('never runs what it explains', async () => {
    expect((await run(['help', 'fail', 'x'], [failing(new Error('it ran'))])).printed.err).toBe('')
  })
})
