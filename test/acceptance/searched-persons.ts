/** Waits for the searches that confirmed matches of watch lists start. They also decide matches of other accounts. */
import { ownLists } from '../../server/src/screening/screen-parts.ts'
import { until } from './calling.ts'
import type { RunningService } from './running-service.ts'

/** Every confirmed person was remembered, and the accounts of all firms were searched for the person. */
export function allSearched(service: RunningService): Promise<number> {
  return until(
    async () => {
      const { rows } = await service.query(
        `select (select count(*) from clearing.listed_person where ended_at is null) + (
           select count(*) from clearing.screening_match as match
           where decision = 'Confirmed' and decided_by <> 'service' and list_name <> all ($1) and not exists (
             select from clearing.listed_person as person where person.match_id = match.match_id)) as left`,
        [ownLists],
      )
      return Number(rows[0].left)
    },
    (left) => left === 0,
  )
}
