// The Markdown documents, as their tests read them: sections, tables, links, blocks and the commands in them.
import { readFileSync } from 'node:fs'

/** For the newcomer, the API's user, the operator, the author and the contributor. */
export const DOCUMENTS = [
  'README.md',
  'src/serve/README.md',
  'config/README.md',
  'sql/README.md',
  'test/README.md',
] as const

export interface Block {
  /** The word after the opening fence: `sh`, `json`; empty if there is none. */
  readonly language: string
  readonly text: string
  /** Number of the opening fence's line. */
  readonly line: number
}

export interface Section {
  readonly heading: string
  /** Without blocks: prose, lists and tables. */
  readonly lines: readonly string[]
  readonly blocks: readonly Block[]
}

export interface Document {
  readonly path: string
  readonly text: string
  readonly sections: readonly Section[]
  /** @throws Error unless there is exactly one with this heading */
  section(heading: string): Section
}

export function readDocument(path: string): Document {
  const text = readFileSync(path, 'utf8')
  const sections = sectionsOf(text)
  return {
    path,
    text,
    sections,
    section(heading) {
      const [found, ...others] = sections.filter(section => section.heading === heading)
      if (found === undefined || others.length > 0)
        throw new Error(`${path} has ${found ? 'several headings' : 'no heading'} "${heading}"`)
      return found
    },
  }
}

function sectionsOf(text: string): Section[] {
  let section = { heading: '', lines: [] as string[], blocks: [] as Block[] }
  const sections = [section]
  let block: { language: string; text: string; line: number } | undefined
  for (const [at, line] of text.split('\n').entries()) {
    const [, language] = /^ *```(\w*)$/.exec(line) ?? []
    const [, heading] = /^#+ (.+)$/.exec(line) ?? []
    if (block !== undefined && language === undefined) block.text += `${line}\n`
    else if (block !== undefined) {
      section.blocks.push(block)
      block = undefined
    } else if (language !== undefined) block = { language, text: '', line: at + 1 }
    else if (heading !== undefined) {
      section = { heading, lines: [], blocks: [] }
      sections.push(section)
    } else section.lines.push(line)
  }
  return sections
}

/** The rows of a section's tables without their heads, each an array of cells. */
export function rowsOf({ lines }: Section): string[][] {
  const tables = lines.filter(line => line.startsWith('|'))
  return tables
    .filter((_, at) => !isRule(tables[at]) && !isRule(tables[at + 1]))
    .map(line => line.slice(1, line.lastIndexOf('|')).split('|'))
    .map(cells => cells.map(cell => cell.trim()))
}

function isRule(line: string | undefined): boolean {
  return line !== undefined && /^\|[-:| ]+\|$/.test(line)
}

/** Paragraphs and list entries, without tables and code. */
export function proseOf({ lines }: Section): string {
  return lines.filter(line => !/^\||^ {4}/.test(line)).join('\n')
}

/** @returns the texts in backticks. */
export function codeOf(text: string): string[] {
  return Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code)
}
