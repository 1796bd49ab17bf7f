// Thousands of organizations other than those of `make test`, chosen by the environment. To repeat a failure:
// GENERATED_SEED=94 GENERATED_ORGANIZATIONS=1.
import { describeCatalogue } from './describe-catalogue.ts'

function numberOf(variable: string, otherwise: number): number {
  const text = process.env[variable] ?? String(otherwise)
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new Error(`${variable} is ${text}, expected a number from 1`)
  }
  return Number(text)
}

const first = numberOf('GENERATED_SEED', 100_001)
const count = numberOf('GENERATED_ORGANIZATIONS', 3000)

await describeCatalogue(Array.from({ length: count }, (_, at) => first + at))
