// Loaded before the gateway (`node --import`): the first pool that is ended after SIGTERM fails; stderr has a line for each.
import knex from 'knex'

let fails = false
process.once('SIGTERM', () => {
  fails = true
})

Object.assign(knex.Client.prototype, {
  async destroy(): Promise<void> {
    process.stderr.write('a pool is ended\n')
    if (!fails) return
    fails = false
    throw new Error('the first pool cannot be ended')
  },
})
