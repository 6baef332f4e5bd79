import { closeSync, openSync, readSync } from 'node:fs'

/** The header of an ELF file (elf(5)). */
const magic = '\x7fELF'
const headerBytes = 20
const classAt = 4
const is64Bit = 2
const orderAt = 5
const isLittleEndian = 1
const typeAt = 16
const executableTypes = [2, 3]
const machineAt = 18
const machines: Record<string, { number: number; name: string }> = {
  x64: { number: 62, name: 'x86-64' },
  arm64: { number: 183, name: 'arm64' },
}

/** Why a file is not an executable for this machine, as the end of a sentence about it; `null`: it is one. */
export function machineFault(file: string): string | null {
  const header = Buffer.alloc(headerBytes)
  const descriptor = openSync(file, 'r')
  const length = readSync(descriptor, header, 0, headerBytes, 0)
  closeSync(descriptor)
  if (length < headerBytes || header.toString('latin1', 0, 4) !== magic) return 'is not an executable for Linux'
  if (header[classAt] !== is64Bit || header[orderAt] !== isLittleEndian) return 'is for another kind of machine'
  if (!executableTypes.includes(header.readUInt16LE(typeAt))) return 'is not an executable'
  const machine = header.readUInt16LE(machineAt)
  const own = machines[process.arch]
  if (own === undefined || machine === own.number) return null
  const found = Object.values(machines).find(({ number }) => number === machine)
  return `is for ${found?.name ?? 'other'} machines, and this one is ${own.name}`
}
