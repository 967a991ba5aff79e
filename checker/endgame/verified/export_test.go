package verified

func init() { unitsOfTask = 1 }
