// Thousands of organizations, others than those of `make test`. The environment chooses: one that failed is looked at
// again with GENERATED_SEED=94 GENERATED_ORGANIZATIONS=1.
import { describeCatalogue } from './describe-catalogue.ts'

function asked(variable: string, otherwise: number): number {
  const text = process.env[variable] ?? String(otherwise)
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new Error(`${variable} is ${text}, expected a number from 1`)
  }
  return Number(text)
}

const first = asked('GENERATED_SEED', 100_001)
const count = asked('GENERATED_ORGANIZATIONS', 3000)

await describeCatalogue(Array.from({ length: count }, (_, at) => first + at))
