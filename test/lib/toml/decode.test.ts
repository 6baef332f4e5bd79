import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { decodeToml, leaves } from '../../../src/lib/toml/decode.ts'
import {
  boolean,
  integer,
  listOf,
  located,
  oneOf,
  optional,
  optionalText,
  parsed,
  string,
  table,
  withDefault,
} from '../../../src/lib/toml/shape.ts'

const zoo = table({
  name: withDefault(string({ charactersMax: 5 }), 'zoo'),
  password: optional(string({ pattern: /^[a-z]+$/, expected: 'small letters', secret: true })),
  tags: withDefault(listOf(string(), { itemsMax: 3, unique: true }), []),
  door: table({
    width: withDefault(integer({ min: 1, max: 9 }), 2),
    open: withDefault(boolean(), false),
    colour: withDefault(oneOf(['red', 'green']), 'red'),
  }),
  animals: withDefault(
    listOf(table({ kind: string(), legs: optional(integer({ min: 0, max: 100 })) }), { itemsMax: 3 }),
    [],
  ),
})

const decode = (text: string) => decodeToml(text, zoo)
const faultsOf = (text: string) => decode(text).faults
const brief = (text: string) => faultsOf(text).map(({ line, key, message }) => `${line} ${key}: ${message}`)

describe('a document that is right', () => {
  test('of nothing gives the defaults', () => {
    expect(decode('').value).toEqual({
      name: 'zoo',
      password: null,
      tags: [],
      door: { width: 2, open: false, colour: 'red' },
      animals: [],
    })
  })

  test('may be written with dotted keys, inline tables and arrays of tables alike', () => {
    const one = decode('door.width = 3\nanimals = [{ kind = "owl", legs = 2 }, { kind = "eel" }]')
    const other = decode('[door]\nwidth = 3\n[[animals]]\nkind = "owl"\nlegs = 2\n[[animals]]\nkind = "eel"')
    expect(one.value?.animals).toHaveLength(2)
    expect(one.value).toEqual(other.value)
  })

  test('may begin with a byte order mark', () => {
    expect(decode('\uFEFFname = "ark"').value?.name).toBe('ark')
  })

  test('may break lines inside an inline table', () => {
    expect(decode('door = {\n width = 3,\n open = true,\n}').value?.door).toEqual({
      width: 3,
      open: true,
      colour: 'red',
    })
  })

  test('counts a string in characters, not in UTF-16 units', () => {
    expect(decode('name = "🦉🦉🦉🦉🦉"').faults).toEqual([])
  })
})

describe('a wrong value', () => {
  test.each([
    ['door.width = "wide"', 'door.width', 'must be an integer from 1 to 9; found "wide"'],
    ['door.width = 2.0', 'door.width', 'must be an integer from 1 to 9; found 2.0 (a float)'],
    ['door.width = 10', 'door.width', 'must be an integer from 1 to 9; found 10 (an integer)'],
    [
      'door.width = 99999999999999999999',
      'door.width',
      'must be an integer from 1 to 9; found 99999999999999999999 (an integer)',
    ],
    ['door.open = 1', 'door.open', 'must be true or false; found 1 (an integer)'],
    ['door.colour = "blue"', 'door.colour', 'must be "red" or "green"; found "blue"'],
    ['name = 1979-05-27', 'name', 'must be a string; found 1979-05-27 (a date)'],
    ['name = "sixsix"', 'name', 'longer than 5 characters'],
    ['name = "a\\nb"', 'name', 'must be a string, without control characters'],
    ['door = 3', 'door', 'must be a table; found 3 (an integer)'],
    ['tags = "a"', 'tags', 'must be a list, each item a string; found "a"'],
    ['tags = ["a", 2]', 'tags[1]', 'must be a string; found 2 (an integer)'],
    ['tags = ["a", "a"]', 'tags[1]', 'listed twice'],
    ['tags = ["a", "b", "c", "d"]', 'tags', 'more than 3 items'],
    ['animals = [{ legs = 4 }]', 'animals[0].kind', 'missing; must be a string'],
  ])('in %p is told by key, what was expected and what was found', (text, key, message) => {
    expect(brief(text)).toEqual([`1 ${key}: ${message}`])
  })

  test.each(['password = "S3CRET"', 'password = 53728', 'password = ["S3CRET", 53728]'])(
    'of a secret is not repeated: %s',
    (text) => {
      const told = JSON.stringify(faultsOf(text))
      expect(told).toContain('password')
      expect(told).not.toMatch(/S3CRET|53728/)
    },
  )

  test('that is long is shortened', () => {
    expect(JSON.stringify(faultsOf(`door.colour = "${'x'.repeat(5000)}"`)).length).toBeLessThan(500)
  })
})

describe('an unknown key', () => {
  test('names the key that was meant', () => {
    const [fault] = faultsOf('[door]\nwidht = 2')
    expect(fault).toMatchObject({
      line: 2,
      key: 'door.widht',
      message: 'no such setting; did you mean "width"?',
    })
  })

  test('that resembles none names those that are known', () => {
    expect(brief('[door]\nbell = 2')).toEqual(['2 door.bell: no such setting; possible here: width, open, colour'])
  })

  test('below the wrong header says where it belongs', () => {
    expect(brief('[door]\ntags = []')).toEqual([
      '2 door.tags: no such setting here; "tags" stands at the top, above the first [table]',
    ])
    expect(brief('open = true')).toEqual(['1 open: no such setting here; "open" stands in [door]'])
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'called %s is unknown like any other',
    (name) => {
      expect(faultsOf(`${name} = 1`)).toHaveLength(1)
      expect(faultsOf(`[door.${name}]\nx = 1`)).toHaveLength(1)
    },
  )

  test('with unusual characters is quoted', () => {
    expect(faultsOf('"a b.c" = 1')[0]?.key).toBe('"a b.c"')
  })
})

describe('several faults', () => {
  test('are told at once, in order of line', () => {
    const text = 'nmae = "x"\npassword = 3\n[door]\nwidth = 100\n[[animals]]\nkind = 1\n[[animals]]\nlegs = 2'
    expect(faultsOf(text).map(({ line, key }) => `${line} ${key}`)).toEqual([
      '1 nmae',
      '2 password',
      '4 door.width',
      '6 animals[0].kind',
      '7 animals[1].kind',
    ])
  })

  test('leave the keys that are right for further checks', () => {
    const { value, partial } = decode('tags = ["a", 1, "b"]\nname = 3')
    expect(value).toBeNull()
    expect(partial).toMatchObject({ tags: ['a', 'b'], animals: [] })
    expect(partial).not.toHaveProperty('name')
  })
})

describe('text that is no TOML', () => {
  test.each([
    ['a = ', 1],
    ['name = "x', 1],
    ['\n\nname = "x" tags = []', 3],
    ['name = "a"\nname = "b"', 2],
    ['[door]\nopen = true\n[door]\nwidth = 2', 3],
    ['name = "a"\n[name]\n', 2],
    ['\x00', 1],
  ])('%j is told with its line', (text, line) => {
    const { value, faults } = decode(text)
    expect(value).toBeNull()
    expect(faults).toEqual([
      expect.objectContaining({ line, key: null, message: expect.stringMatching(/^not valid TOML: ./) }),
    ])
  })

  test('because a key is repeated names the key', () => {
    expect(faultsOf('name = "a"\nname = "b"')[0]?.message).toBe('not valid TOML: name is defined a second time')
  })

  test.each(['['.repeat(5000) + ']'.repeat(5000), '{a='.repeat(500) + '1' + '}'.repeat(500)])(
    'or goes too deep is a fault',
    (value) => {
      expect(faultsOf(`name = ${value}`)[0]?.message).toBe('lists and tables go deeper than 64 levels')
    },
  )

  test('never makes it throw', () => {
    const pieces = fc.constantFrom(
      'name',
      'door',
      '.',
      '=',
      '"',
      "'",
      '[',
      ']',
      '[[',
      ']]',
      '{',
      '}',
      ',',
      '\n',
      ' ',
      '1',
      '-',
      '0x',
      'true',
      '#',
      '\\',
      'é',
      '\t',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const { value, faults } = decode(parts.join(''))
        expect(value === null).toBe(faults.length > 0)
      }),
    )
  })
})

describe('combinators', () => {
  test('parsed goes on to another type, and tells its own faults', () => {
    const even = parsed(integer({ min: 0, max: 99 }), (n) =>
      n % 2 === 0 ? { value: n / 2 } : { expected: 'an even number' },
    )
    const description = table({ n: even, m: withDefault(even, 7) })
    expect(decodeToml('n = 8', description).value).toEqual({ n: 4, m: 7 })
    expect(decodeToml('n = 9', description).faults[0]?.message).toBe('must be an even number; found 9 (an integer)')
  })

  test('parsed keeps a secret', () => {
    const description = table({ key: parsed(string({ secret: true }), () => ({ expected: 'another' })) })
    expect(decodeToml('key = "S3CRET"', description).faults[0]?.message).toBe('must be another; found a string')
  })

  test('optionalText takes an empty string for no key', () => {
    const description = table({ a: optionalText(string({ pattern: /x/ })), b: optionalText(string()) })
    expect(decodeToml('a = ""', description).value).toEqual({ a: null, b: null })
    expect(decodeToml('a = "y"', description).faults).toHaveLength(1)
  })

  test('located keeps the line of a value and of the keys inside it', () => {
    const description = table({ box: located(table({ a: optional(string()), b: optional(string()) })) })
    const box = decodeToml('\n[box]\n\na = "x"', description).value?.box
    expect(box).toMatchObject({ key: 'box', line: 2, value: { a: 'x', b: null } })
    expect(box?.place('a')).toMatchObject({ key: 'box.a', line: 4 })
    expect(box?.place('b')).toMatchObject({ key: 'box.b', line: 2 })
  })

  test('leaves names every key, tables opened', () => {
    expect(leaves(zoo).map(({ path }) => path.join('.'))).toEqual([
      'name',
      'password',
      'tags',
      'door.width',
      'door.open',
      'door.colour',
      'animals',
    ])
  })
})
