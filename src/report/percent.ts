/** Parts of a hundred, with one decimal; `null`: of nothing. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10

/** Leads of a hundred visits; `null`: nobody visited, or leads came without a visit that is counted here. */
export const conversionOf = ({ visits, leads }: { visits: number; leads: number }): number | null =>
  leads > visits ? null : percentOf(leads, visits)
