// File names and exported names of `src` use the terms of the field, and one name has one meaning.
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'

/** A term | the words that names must not use for it. */
const TERMS = `
  cached, cache, evict | kept keep keeps
  response, result | answer answers answered
  execution, execute | run runs ran
  check, probe | look looks looked seen anew
  unavailable, unreachable | away
  connection slot, admission, queue | place places room rooms
  a program, or its name | somebody nobody whom whoever whose theirs
  backpressure, buffer, spill file | outflow gathered beside unread nameless
  compress, content coding | coded
  representation | shape shapes
  fallback, retry | elsewhere again
  abort, cancel | leave leaves left
  deadline | patience
  per-execution plan, or the noun that it belongs to | own
  negative cache | failing
  dry run | rehearse rehearsed rehearsal rehearsals
  bad definition, test case | museum exhibit
  tenant isolation | alone apart
  duplicated rows | multiplied
  report, print, write | say says said saying tell tells told
  a noun | asked firsts watched explained written made given found
`

/** Terms that contain such a word. They are removed before words are compared. */
const PARTS_OF_TERMS = /\bdry runs?\b|\blook ups?\b|\bleft joins?\b|\bbit packed run\b/g

/** The commands of the command line, which are public. */
const PUBLIC = new Set(['src/author/commands/run.ts', 'run', 'RunOptions'])

const TERM_OF = new Map(
  TERMS.trim()
    .split('\n')
    .flatMap(line => {
      const [term = '', words = ''] = line.split('|').map(part => part.trim())
      return words.split(' ').map((word): [string, string] => [word, term])
    }),
)

const EXPORT =
  /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm

function wordsOf(name: string): string[] {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words
    .replaceAll(/[^a-z]+/g, ' ')
    .replaceAll(PARTS_OF_TERMS, '')
    .split(' ')
}

/** @returns `name: "word", expected term` for each word that is used instead of a term */
function wrongWords(name: string): string[] {
  if (PUBLIC.has(name)) return []
  return wordsOf(name).flatMap(word => {
    const term = TERM_OF.get(word)
    return term === undefined ? [] : [`${name}: "${word}", expected ${term}`]
  })
}

describe('the words of names', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => `src/${file}`)

  it('are compared with the terms one by one', () => {
    expect(wrongWords('src/serve/keptAnswers.ts')).to.deep.equal([
      'src/serve/keptAnswers.ts: "kept", expected cached, cache, evict',
      'src/serve/keptAnswers.ts: "answers", expected response, result',
    ])
    expect(wrongWords('createDryRun')).to.deep.equal([])
    expect(wrongWords('Placeholder')).to.deep.equal([])
  })

  it('are the terms of the field in file names', () => {
    expect(files.flatMap(wrongWords)).to.deep.equal([])
  })

  const exports = files.flatMap(file =>
    Array.from(readFileSync(file, 'utf8').matchAll(EXPORT), ([, name = '']) => ({ file, name })),
  )

  it('are the terms of the field in exported names', () => {
    const found = exports.flatMap(({ file, name }) =>
      wrongWords(name).map(wrong => `${file}: ${wrong}`),
    )
    expect(found).to.deep.equal([])
  })

  it('are exported from one file each', () => {
    const fileOf = new Map<string, string>()
    const found = exports.flatMap(({ file, name }) => {
      const other = fileOf.get(name) ?? file
      fileOf.set(name, file)
      return other === file ? [] : [`${name} is exported from ${other} and from ${file}`]
    })
    expect(found).to.deep.equal([])
  })
})
