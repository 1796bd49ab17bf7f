/** Facts that follow from conditions: equal terms; for alternatives, what follows from each of them. */
import { conditionEqualities, type Formula } from './conditions.ts'
import type { Term } from './terms.ts'

/** All terms that are equal to a term, and the term itself. */
export type Equal = (term: Term) => readonly Term[]
export type Goal = (equal: Equal) => boolean

/** The maximum depth of nested alternatives. */
const MOST_CHOICES = 3

export function entails(formula: Formula, goal: Goal, mostChoices = MOST_CHOICES): boolean {
  if (goal(classesOf(formula))) return true
  if (mostChoices === 0) return false
  return formula.some(fact => {
    if (!('choices' in fact)) return false
    const rest = formula.filter(one => one !== fact)
    return fact.choices.every(one => entails([...rest, ...one], goal, mostChoices - 1))
  })
}

function classesOf(formula: Formula): Equal {
  const classes = new Map<Term, Set<Term>>()
  for (const { left, right } of conditionEqualities(formula)) {
    const all = new Set([...(classes.get(left) ?? [left]), ...(classes.get(right) ?? [right])])
    for (const one of all) classes.set(one, all)
  }
  return term => [...(classes.get(term) ?? [term])]
}
