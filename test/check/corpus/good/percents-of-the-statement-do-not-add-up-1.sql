/*---
metrics:
  share: { title: share, format: percent }
---*/
select sum(s.share) over () as share from s
