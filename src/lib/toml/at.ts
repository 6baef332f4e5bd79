import { type Place, statedFault, type TomlFault } from './fault.ts'
import { describeValue, type TomlValue } from './value.ts'

/** A place in the document while it is decoded, with the list that its faults go to. */
export class At implements Place {
  constructor(
    readonly key: string,
    readonly line: number | null,
    private readonly faults: TomlFault[],
  ) {}

  /** For secrets, only the kind is named. */
  unexpected({ expected, secret = false }: { expected: string; secret?: boolean }, value: TomlValue): null {
    return this.state(`expected ${expected}, found ${describeValue(value, secret)}`)
  }

  state(message: string): null {
    this.faults.push(statedFault(this, message))
    return null
  }

  child(name: string, line: number | null): At {
    return new At(childKey(this.key, name), line, this.faults)
  }

  item(index: number, line: number | null): At {
    return new At(`${this.key}[${index}]`, line, this.faults)
  }
}

function childKey(parent: string, name: string): string {
  const shown = /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name.slice(0, shownKeyCharactersMax))
  return parent === '' ? shown : `${parent}.${shown}`
}

const shownKeyCharactersMax = 80
