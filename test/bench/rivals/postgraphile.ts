// PostGraphile 5 in front of the same standby, as the gateway's own role for reports; our definitions as functions.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReportDefinition } from '../../../src/definitions/definition.ts'
import { loadCatalog } from '../../../src/definitions/load-catalog.ts'
import { withClient } from '../../../src/demo/connection.ts'
import { freePort } from '../../../src/demo/ports.ts'
import type { Bench } from '../bench.ts'
import { startServer } from '../server-process.ts'
import { fetched } from './fetched.ts'
import { compareRows, queryOf, variablesOf } from './graphql.ts'
import type { Question } from './questions.ts'
import type { RivalKind } from './rival.ts'
import { createFunction, SCHEMA } from './sql-function.ts'

const checkout = fileURLToPath(new URL('../../../..', import.meta.url))
const SERVER = 'postgraphile-server.mjs'
const LEAST_NODE = 22

export const postgraphile: RivalKind = {
  name: 'PostGraphile 5',
  note: 'the same tuned statement as an SQL function, asked with variables; it checks no key',
  async start(bench, questions) {
    const folder = await fetched(bench, {
      name: 'postgraphile',
      versions: { postgraphile: '5.1.5', graphql: '16.12.0', pg: '8.23.1', ...nodePackage() },
      ignoreScripts: true,
      withinMs: 180_000,
    })
    copyFileSync(`${checkout}/test/bench/rivals/${SERVER}`, join(folder, SERVER))
    const definitions = definitionsOf(questions)
    await createSchema(bench, [...definitions.values()])
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const server = await startServer(bench, {
      name: 'postgraphile',
      command: [nodeIn(folder), join(folder, SERVER)],
      env: {
        NODE_ENV: 'production',
        GRAPHILE_ENV: 'production',
        DATABASE_URL: bench.product.urls.reports,
        PORT: String(port),
        RIVAL_SCHEMA: SCHEMA,
      },
      readyUrl: url,
    })
    const definitionOf = ({ report }: Question) => {
      const definition = definitions.get(report)
      if (definition === undefined) throw new Error(`${report} was not made a function`)
      return definition
    }
    return {
      server,
      url,
      request(question) {
        const definition = definitionOf(question)
        const variables = variablesOf(definition, question)
        return {
          path: '/graphql',
          headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
          body: JSON.stringify({ query: queryOf(definition), variables }),
        }
      },
      compare: (question, answer, ours) => compareRows(definitionOf(question), answer, ours),
      async stop() {
        await server.stop()
        await dropSchema(bench)
      },
    }
  },
}

function definitionsOf(questions: readonly Question[]): ReadonlyMap<string, ReportDefinition> {
  const { reports } = loadCatalog(`${checkout}/sql`)
  const found = new Map<string, ReportDefinition>()
  for (const { report } of questions) {
    const definition = reports.get(report)
    if (definition === undefined) throw new Error(`no report has the code ${report}`)
    found.set(report, definition)
  }
  return found
}

async function createSchema(bench: Bench, definitions: readonly ReportDefinition[]): Promise<void> {
  const { cluster, urls } = bench.product
  await withClient(urls.primary, async client => {
    await client.query(`drop schema if exists ${SCHEMA} cascade; create schema ${SCHEMA};
      grant usage on schema ${SCHEMA} to svodka_reports`)
    for (const definition of definitions) await createFunction(client, definition)
  })
  await cluster.replicaCaughtUp()
}

function dropSchema({ product }: Bench): Promise<void> {
  return withClient(product.urls.primary, async client => {
    await client.query(`drop schema if exists ${SCHEMA} cascade`)
  })
}

/** It wants a newer Node than ours may be. */
function nodePackage(): Readonly<Record<string, string>> {
  if (isNewEnough()) return {}
  return { [`node-${process.platform}-${process.arch}`]: '24.18.0' }
}

function nodeIn(folder: string): string {
  if (isNewEnough()) return process.execPath
  return join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
}

function isNewEnough(): boolean {
  return Number(process.versions.node.split('.')[0]) >= LEAST_NODE
}
