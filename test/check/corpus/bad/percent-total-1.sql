/*---
metrics:
  share: { title: share, format: percent }
---*/
select
avg(s.share) as share from s -- expect: percent-total
