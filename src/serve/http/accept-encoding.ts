/** `Accept-Encoding`: the content coding that an answer is sent in. Knows no bodies. */
import { CODINGS } from '../body/content-coding.ts'
import type { Coding } from '../body/content-coding.ts'

/** No client sends as much; what is longer is not read. */
const LONGEST_HEADER = 256

const ELEMENT = /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d*)?|1(?:\.0*)?)[ \t]*)?$/i

/** Of the few headers that clients send. */
const known = new Map<string, Coding>()
const MOST_KNOWN = 64

/**
 * What is preferred most of what is accepted. `identity` where nothing else is, even if the header
 * excludes it: a loader would only retry a 406.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding
 */
export function chooseCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || acceptEncoding.length > LONGEST_HEADER) return 'identity'
  const found = known.get(acceptEncoding)
  if (found !== undefined) return found
  if (known.size >= MOST_KNOWN) known.clear()
  const chosen = preferred(acceptEncoding, CODINGS)
  known.set(acceptEncoding, chosen)
  return chosen
}

/** @param codings that there are, the best first: it is taken where a client likes several as much */
export function preferred(acceptEncoding: string, codings: readonly Coding[]): Coding {
  const weights = weightsOf(acceptEncoding)
  // why: who accepts anything hardly means more than what everybody can read
  if (!weights.has('gzip')) weights.set('gzip', weights.get('*') ?? 0)
  let best: Coding = 'identity'
  let most = 0
  for (const coding of [...codings, 'identity'] as const) {
    const weight = weights.get(coding) ?? 0
    if (weight <= most) continue
    best = coding
    most = weight
  }
  return best
}

/** Elements that are not as they should be are as if they were not there; of two, the lesser counts. */
function weightsOf(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const element of acceptEncoding.toLowerCase().split(',')) {
    const [, name, weight = '1'] = ELEMENT.exec(element) ?? []
    if (name === undefined) continue
    const coding = name === 'x-gzip' ? 'gzip' : name
    weights.set(coding, Math.min(weights.get(coding) ?? 1, Number(weight)))
  }
  return weights
}
