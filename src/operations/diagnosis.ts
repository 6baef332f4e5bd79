/** What was found, and what an operator can do about it. Sentences. */
export interface Diagnosis {
  found: string
  advice: string
}
