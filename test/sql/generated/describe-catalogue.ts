/** Compares every definition with its oracle over generated organizations, with neighbours that have the same ids. */
import { AssertionError, expect } from 'chai'
import { comparisonsOf } from '../comparison.ts'
import { ourCatalog } from '../subject.ts'
import { generatedDatabase } from './database.ts'

const MAX_FAILURES = 3

export async function describeCatalogue(seeds: readonly number[]): Promise<void> {
  const comparisons = await comparisonsOf(ourCatalog())

  describe(`the catalogue, over ${seeds.length} generated organizations`, function () {
    this.timeout(60_000 + seeds.length * 1000)
    /** The first few failures by definition, with seeds. */
    const failures = new Map<string, string[]>()

    before(async () => {
      const database = await generatedDatabase('svodka_generated')
      try {
        for (const seed of seeds) {
          await database.withOrganization(seed, async (client, asked) => {
            for (const { name, compare } of comparisons) {
              const found = failures.get(name) ?? []
              if (found.length >= MAX_FAILURES) continue
              failures.set(name, found)
              const error = await failureOf(compare(client, asked))
              if (error === undefined) continue
              const failure = `seed ${seed}, ${JSON.stringify(asked.question)}: ${error.message}`
              found.push(failure)
              // A failed statement has aborted the transaction.
              if (!(error instanceof AssertionError)) throw new Error(`${name}: ${failure}`)
            }
          })
        }
      } finally {
        await database.end()
      }
    })

    for (const { name } of comparisons) {
      it(`${name} agrees with its oracle`, () => {
        expect(failures.get(name)?.join('\n')).to.equal('')
      })
    }
  })
}

async function failureOf(compared: Promise<void>): Promise<Error | undefined> {
  try {
    await compared
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
