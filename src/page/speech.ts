/** Says to a screen reader what has changed elsewhere on the page. */
import { h } from './dom.ts'

/** Stays in the document: what is added together with its text is not said. */
export const speech = h('p', { className: 'unseen', aria: { live: 'polite' } })

/** @param texts of one language each */
export function say(...texts: string[]): void {
  speech.replaceChildren(...texts.map(text => h('span', {}, text)))
}
