/** A fault and its remedy, as sentences. */
export interface Diagnosis {
  found: string
  advice: string
}
