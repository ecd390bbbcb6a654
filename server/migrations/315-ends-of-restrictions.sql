-- Why a restriction ended. Null while it is in force, and for restrictions that ended before this release.
alter table clearing.restriction add column end_reason text;
