const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const checksumOfSound = 1

/** Whether a lower-case text is Bech32 (BIP 173) with the human-readable part, of any length, and its checksum is right. */
export function isBech32(text: string, humanPart: string): boolean {
  if (!text.startsWith(`${humanPart}1`)) return false
  const values = [...text.slice(humanPart.length + 1)].map((character) => alphabet.indexOf(character))
  if (values.length < 6 || values.includes(-1)) return false
  const codes = [...humanPart].map((character) => character.charCodeAt(0))
  return (
    polymod([...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...values]) === checksumOfSound
  )
}

function polymod(values: number[]): number {
  let sum = 1
  for (const value of values) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [bit, generator] of generators.entries()) if ((top >> bit) & 1) sum ^= generator
  }
  return sum >>> 0
}
