import type { Form } from '../account/form.ts'
import type { Measure } from '../processing/figures/measures.ts'
import type { ClickFigures, FiguresReport } from './figures.ts'
import type { StoredFigures } from './figures-reader.ts'

type ByName = StoredFigures['byName']

export function leadsByForm(byName: ByName, forms: Pick<Form, 'id' | 'name'>[]): FiguresReport['forms'] {
  const names = new Map(forms.map(({ id, name }) => [id, name]))
  return namesOf(byName, ['lead', 'duplicate'])
    .map(([id, count]) => ({
      id,
      name: names.get(id) ?? null,
      leads: count('lead'),
      likelyDuplicates: count('duplicate'),
    }))
    .sort((one, other) => other.leads - one.leads || order(one.id, other.id))
}

export const leadsBySource = (byName: ByName): FiguresReport['sources'] =>
  ranked(byName, 'lead_source').map(([source, leads]) => ({ source, leads }))

export const leadsByCampaign = (byName: ByName): FiguresReport['campaigns'] =>
  ranked(byName, 'lead_campaign').map(([campaign, leads]) => ({ campaign, leads }))

export const viewsByPage = (byName: ByName): FiguresReport['pages'] =>
  ranked(byName, 'page').map(([slug, views]) => ({ slug, views }))

/** The names that split a measure, with their counts, most first. */
const ranked = (byName: ByName, wanted: Measure): [name: string, count: number][] =>
  byName
    .flatMap(({ measure, name, count }): [string, number][] => (measure === wanted ? [[name, count]] : []))
    .sort(([one, count], [other, otherCount]) => otherCount - count || order(one, other))

export const clicksByMessage = (byName: ByName): FiguresReport['messages'] =>
  namesOf(byName, ['click_human', 'click_suspected', 'click_machine'])
    .map(([message, count]) => ({
      message: message === '' ? null : message,
      human: count('click_human'),
      suspected: count('click_suspected'),
      machine: count('click_machine'),
    }))
    .sort((one, other) => other.human - one.human || all(other) - all(one) || order(one.message, other.message))

const all = ({ human, suspected, machine }: ClickFigures): number => human + suspected + machine

const order = (one: string | null, other: string | null): number => ((one ?? '') < (other ?? '') ? -1 : 1)

/** Every name that splits any of the measures, with a function that returns its counts. */
function namesOf<M extends Measure>(
  byName: ByName,
  measures: readonly M[],
): [name: string, count: (measure: M) => number][] {
  const wanted = new Set<Measure>(measures)
  const counts = new Map<string, Map<Measure, number>>()
  for (const { measure, name, count } of byName) {
    if (!wanted.has(measure)) continue
    const ofName = counts.get(name) ?? new Map<Measure, number>()
    counts.set(name, ofName.set(measure, count))
  }
  return [...counts].map(([name, ofName]) => [name, (measure) => ofName.get(measure) ?? 0])
}
