/** How the brackets of a statement nest, read in one pass over its tokens. */
import type { Token } from './lexer.ts'

export interface Brackets {
  /** Whether a `[` before the token is still open. */
  isInSquare(at: number): boolean
  /** Index of the innermost `(` that is open at the token; -1 if there is none. */
  parenthesisAround(at: number): number
  /** Arguments of the bracket that opens at the token, to its end or to that of the tokens. */
  argumentCount(opening: number): number
}

/** @param tokens without comments; their brackets may be unbalanced */
export function readBrackets(tokens: readonly Token[]): Brackets {
  const inSquare: boolean[] = []
  const around: number[] = []
  const argumentCounts = new Map<number, number>()
  const open: number[] = []
  const openParentheses: number[] = []
  let openSquares = 0
  tokens.forEach(({ text }, at) => {
    inSquare.push(openSquares > 0)
    around.push(openParentheses.at(-1) ?? -1)
    if (text === '(' || text === '[') {
      open.push(at)
      argumentCounts.set(at, 1)
    } else if (text === ')' || text === ']') open.pop()
    else if (text === ',') {
      const opening = open.at(-1)
      if (opening !== undefined) argumentCounts.set(opening, argumentCounts.get(opening)! + 1)
    }
    if (text === '(') openParentheses.push(at)
    else if (text === ')') openParentheses.pop()
    else if (text === '[') openSquares++
    else if (text === ']' && openSquares > 0) openSquares--
  })
  return {
    isInSquare: at => inSquare[at] ?? false,
    parenthesisAround: at => around[at] ?? -1,
    argumentCount: opening => argumentCounts.get(opening) ?? 1,
  }
}
